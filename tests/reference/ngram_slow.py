"""Interpolated Kneser-Ney from its definition, with sets and sums."""

BEGIN, END = "<begin>", "<end>"


def ngrams(sentences, length):
    """Return every run of so many words of every sentence, as often as it occurs."""
    return [tuple(s[i : i + length]) for s in sentences for i in range(len(s) - length + 1)]


class KneserNey:
    """The model over the words of sentences."""

    def __init__(self, sentences, order):
        self.order = order
        self.padded = [[BEGIN] * (order - 1) + [*s, END] for s in sentences]
        self.predicted = {word for s in sentences for word in s} | {END}

    def count(self, gram):
        """Return how often it occurs, or how many different words stand before it."""
        if len(gram) == self.order:
            return ngrams(self.padded, self.order).count(gram)
        return len({g[0] for g in ngrams(self.padded, len(gram) + 1) if g[1:] == gram})

    def discount(self, length):
        """Return what is taken from the count of each n-gram of a length."""
        known = {g for g in ngrams(self.padded, length) if g[-1] != BEGIN}
        counts = [self.count(g) for g in known]
        ones, twos = counts.count(1), counts.count(2)
        return ones / (ones + 2 * twos) if ones and twos else 0.5

    def probability(self, word, history):
        """Return the probability of a word after the `order` - 1 words before it."""
        chance = 1 / (len(self.predicted) + 1)
        for length in range(self.order):
            before = tuple(history[len(history) - length :])
            counts = {w: self.count((*before, w)) for w in self.predicted}
            total = sum(counts.values())
            if total:
                less = self.discount(length + 1)
                own = max(counts.get(word, 0) - less, 0)
                kinds = sum(c > 0 for c in counts.values())
                chance = (own + less * kinds * chance) / total
        return chance
