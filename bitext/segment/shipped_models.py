"""The models that ship with the package, by the codes of their languages."""

from __future__ import annotations

import re
from pathlib import Path

from bitext.errors import OptionError
from bitext.remedies import named_by_options, remedy

__all__ = ["model_path", "shipped_models"]

_FOLDER = Path(__file__).parent / "models"
_SUFFIX = ".npz"
_CODE = re.compile(r"[A-Za-z]{2,3}(?:[-_][A-Za-z0-9]{1,8})*")


def shipped_models() -> dict[str, Path]:
    """Return the files of the models by language."""
    return {path.stem: path for path in sorted(_FOLDER.glob(f"*{_SUFFIX}"))}


def model_path(model: str | Path) -> Path:
    """Return the file of a model: of a language where its code is given, else the one named.

    A code is two or three letters, perhaps with a script or a country, of which the language alone
    counts where there is no model of more. A file of such a name is told as a path: `./en`.

    Raises
    ------
    OptionError
        When no model of that language ships.

    """
    if isinstance(model, Path) or not _CODE.fullmatch(model):
        return Path(model)
    known = shipped_models()
    by_code = {code.lower(): path for code, path in known.items()}
    parts = model.lower().replace("_", "-").split("-")
    for size in range(len(parts), 0, -1):
        found = by_code.get("-".join(parts[:size]))
        if found is not None:
            return found
    told = ", ".join(known) or "none"
    train, use = "ParagraphSegmenter.fit, .save", f"{model}.model"
    if named_by_options():
        train = f"bitext paragraphs train texts/ {remedy(f'lang {model}')} -o {use}"
        use = remedy(f"model {use}")
    raise OptionError(
        f"no model of the language {model!r} ships; there are: {told}. Train one of texts with "
        f"paragraphs ({train}) and name it ({use}); if {model!r} is a file, it is ./{model}"
    )
