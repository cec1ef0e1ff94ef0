"""The corpus's own judge, tests/corpus/score, which has no .py in its name; heddle's engines."""
import importlib.machinery
import importlib.util
import os
import re
import subprocess

CORPUS = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "corpus")


def load_score():
    loader = importlib.machinery.SourceFileLoader("score", os.path.join(CORPUS, "score"))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("score", loader))
    loader.exec_module(module)
    return module


def engines(heddle):
    """The engines that heddle check --help names."""
    text = subprocess.run([heddle, "check", "--help"], capture_output=True, text=True).stdout
    found = re.search(r"--engine LIST\s+which engines may answer:\s+(\S+)", text)
    if not found:
        raise RuntimeError("--help names no engines")
    return found.group(1).split("|")
