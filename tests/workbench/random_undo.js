// Random commands in the page of a server, half of them undo and redo; a test replaces SEED, COUNT,
// OTHERS, and SETTLE, by which it waits until all is sent. Requests are not sent, answers are lost, and
// the server refuses changes, at random; if OTHERS, another window of the annotator and another
// annotator of the texts make changes in between. `draw` is mulberry32.
(async () => {
  const { Alignment } = await import("/assets/changes.js");
  const operations = await import("/assets/operations.js");
  let seed = SEED;
  const draw = (count) => {
    seed = (seed + 0x6d2b79f5) | 0;
    let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) % count;
  };
  const { fetch: real, setTimeout: later } = window;
  window.setTimeout = (act, time, ...more) => later(act, time / 100, ...more); // waits before a request is sent again
  const counts = { unsent: 0, lost: 0, refused: 0, atOnce: 0, asked: 0, others: 0, known: 0 };
  window.fetch = async (address, options) => {
    if (/\/(changes|undo|redo)$/u.test(address)) {
      const luck = draw(100);
      if (luck < 12) {
        counts.unsent += 1;
        throw new TypeError("the request is not sent");
      }
      if (luck < 24) {
        await real(address, options);
        counts.lost += 1;
        throw new TypeError("the answer is lost");
      }
      if (luck === 24) {
        counts.refused += 1;
        return new Response('{"error": "refused"}', { status: 409 });
      }
    }
    return real(address, options);
  };

  const post = async (address, body) => {
    const headers = { "X-Bitext": "1", "Content-Type": "application/json" };
    const answer = await real(address, { method: "POST", headers, body: JSON.stringify(body) });
    counts.others += answer.ok;
  };
  // Change an alignment as another window does: beads of one's own, texts of the other annotator.
  const change = async (number) => {
    const given = await (await real(`/api/alignments/${number}`)).json();
    const state = new Alignment(given);
    const side = ["source", "target"][draw(2)];
    const { id } = state.rows[side][draw(state.rows[side].length)];
    const at = draw(state.beads.length);
    const tried = [
      () => operations.correct(state, side, id, `corrected ${draw(1000)}.`), () => operations.splitSentence(state, side, id, 1 + draw(8)),
      () => operations.joinSentences(state, side, id), () => operations.setState(state, at, "doubtful"), () => operations.split(state, at, side),
    ];
    try {
      const { name, splices } = tried[number === 2 ? draw(5) : draw(3)]();
      if (splices.length) await post(`/api/alignments/${number}/changes`, { version: given.alignment.version, name, splices });
    } catch (error) {
      if (error.constructor.name !== "ChangeRefused") throw error;
    }
  };
  const others = [() => change(3), () => change(3), () => change(2), () => post("/api/alignments/2/undo", {}), () => post("/api/alignments/3/undo", {})];

  const names = "confirm toggleConfirmed toggleDoubtful bookmark mergeDown mergeUp split giveDown giveUp takeDown takeUp shiftDown shiftUp insertAfter insertBefore removeEmpty unlink join paragraph confirmUpTo".split(" ");
  const { store } = editor;
  if (seed % 2) store.later = 0; // each change is sent as a large one: when it is drawn, without the rows it removes
  for (let k = 0; k < COUNT; k++) {
    const luck = draw(100);
    if (luck < 50) {
      const [kind] = [luck < 32 ? "undo" : "redo"];
      counts.known += Boolean(store.recent.next(kind));
      const before = JSON.stringify(editor.state);
      editor.run(kind);
      counts[store.turning ? "asked" : "atOnce"] += store.turning || JSON.stringify(editor.state) !== before ? 1 : 0;
    } else if (luck < 66 && OTHERS) await others[draw(others.length)]();
    else {
      editor.choose(draw(editor.state.beads.length), { side: ["source", "target"][draw(2)], quiet: true });
      editor.run(names[draw(names.length)]);
    }
    if (store.turning) await store.turning;
    else if (!draw(4)) await new Promise((done) => later(done, draw(30)));
    // Where the machine is busy, a refusal would else take most of the commands with it.
    for (let n = 0; SETTLE && store.pending.length > 8 && n < 400; n++) await new Promise((done) => later(done, 5));
  }
  // The requests that wait are disturbed, too.
  for (let k = 0; SETTLE && store.sending && k < 4000; k++) await new Promise((done) => later(done, 5));
  window.fetch = real;
  window.setTimeout = later;
  return counts;
})()
