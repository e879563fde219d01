"""Run the script in forks of an interpreter that has compiled it once, which is faster than starting Python."""

import json
import os
import subprocess
import tempfile
from pathlib import Path
from types import TracebackType

from little_go.player.__main__ import ROOT
from little_go.player.build import SCRIPT

#: A program that runs the script in a fork for each line of JSON, as "python my_player3.py" does, and prints the
#: result. A fork that waits for ever is killed by a signal.
_SERVER = """
import json, os, signal, sys
path = sys.argv[1]
with open(path, encoding="ascii") as file:
    code = compile(file.read(), path, "exec")
for line in sys.stdin:
    asked = json.loads(line)
    child = os.fork()
    if not child:
        status = 1
        signal.alarm(60)
        try:
            os.chdir(asked["directory"])
            os.environ.update(asked["environment"])
            for number, place in enumerate([os.devnull, asked["out"], asked["err"]]):
                opened = os.open(place, os.O_RDWR)
                os.dup2(opened, number)
                os.close(opened)
            sys.argv[:] = [os.path.basename(path)]
            exec(code, {"__name__": "__main__"})
            status = 0
        except SystemExit as end:
            status = end.code or 0
        except BaseException:
            sys.excepthook(*sys.exc_info())
        finally:
            sys.stdout.flush()
            os._exit(status)
    status = os.waitpid(child, 0)[1]
    code_of = -os.WTERMSIG(status) if os.WIFSIGNALED(status) else os.WEXITSTATUS(status)
    print(code_of, flush=True)
"""


class ForkedScript:
    """The built script, compiled by one interpreter; a context manager."""

    def __init__(self, python: str) -> None:
        self._folder = tempfile.TemporaryDirectory()
        self._out, self._err = (Path(self._folder.name, name) for name in ("out", "err"))
        self._server = subprocess.Popen(
            [python, "-c", _SERVER, str(ROOT / SCRIPT)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"},
        )

    def __enter__(self) -> "ForkedScript":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.communicate()
        self._folder.cleanup()

    def run(self, directory: Path, cpu: float = 0.2) -> subprocess.CompletedProcess[str]:
        """Run the script in a directory with a budget of CPU seconds; return its exit code and output."""
        assert self._server.stdin is not None
        assert self._server.stdout is not None
        for path in (self._out, self._err):
            path.write_text("")
        asked = {
            **{"directory": str(directory), "out": str(self._out), "err": str(self._err)},
            "environment": {"LITTLE_GO_CPU": str(cpu)},
        }
        self._server.stdin.write(json.dumps(asked) + "\n")
        self._server.stdin.flush()
        code = int(self._server.stdout.readline())
        return subprocess.CompletedProcess([SCRIPT], code, self._out.read_text(), self._err.read_text())
