"""The check of what a cluster's workers send: results count once, and false results name their worker."""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from little_go.book.store.facts import Fact
from little_go.book.store.store import Store, open_store
from little_go.generator.workers import checking
from little_go.generator.workers.checking import Check
from little_go.generator.workers.search_crew import CrewError, FalseWorker
from little_go.generator.workers.worker import JobResult, QuestionJob
from little_go.solver.answer import Answer
from little_go.solver.family import COURSE
from little_go.solver.native.kernel import Kernel
from little_go.solver.native.table import open_table
from little_go.solver.position import START, Position, parse_moves, play_all

#: Positions with few plies left, whose searches take no time.
LATE = play_all(START, parse_moves("2,2 1,2 2,1 2,3 3,3 1,3 3,4 1,1 1,0 3,2 3,1 1,4 0,0 4,2"))
LATER = LATE.play(LATE.legal_moves()[0])


@pytest.fixture(autouse=True)
def small_table(monkeypatch: pytest.MonkeyPatch) -> None:
    """Search the claims with a small table, which is made faster."""
    monkeypatch.setattr(checking, "_CHECK_MIB", 16)


def test_what_a_worker_sends_fifty_times_counts_once(tmp_path: Path) -> None:
    kernel = Kernel(open_table(16))
    job = QuestionJob(LATE, 3, 10**9)
    own, kept = kernel.decide(LATE, 3), kernel.decide(LATER, 3)
    with open_store(tmp_path / "book.db", write=True, game=COURSE) as store:
        check = Check(store, 1.0, 1, "code")
        check.run = store.start_run({})
        sent = [(LATER, kept)] * 50 + [(LATE, own)] * 50
        job_result = check("tcp://192.0.2.1:1", "192.0.2.1", job, JobResult(job, own, sent, own.nodes, 0.1, 1))
        assert job_result.kept == [(LATER, kept)]
        store.record(job_result.facts(), check.run)
        entry = store.get(LATER)
        assert entry is not None
        assert entry.nodes == kept.nodes > 0
        check.settle(hurried=True)
        check.close()


WORKER, OTHER = "tcp://192.0.2.1:1", "tcp://192.0.2.2:1"

#: The value of LATE is 3.
TRUE = Answer(3, 24, 23, 5)

#: By case, a false answer for LATE, and the text about its fault.
FALSE = {
    "a value that is too high": (Answer(4, 24, None, 5), r"a search refutes \+4 or more"),
    "a value that is too low": (Answer(-24, 2, None, 5), r"a search refutes \+2 or less"),
    "a bad move": (Answer(3, 3, LATE.legal_moves()[0], 5), r"after the best move, \S+, a search refutes \+3 or more"),
}


@contextmanager
def checking_rows(folder: Path, *rows: Fact, share: float = 1.0) -> Iterator[tuple[Store, Check]]:
    """Yield a store with rows, and the check of a run."""
    with open_store(folder / "book.db", write=True, game=COURSE) as store:
        store.record(rows)
        check = Check(store, share, 1, "code")
        check.run = store.start_run({})
        try:
            yield store, check
        finally:
            check.close()


def send(check: Check, answer: Answer, worker: str = WORKER, **changes: Any) -> JobResult:
    """Send an answer for LATE and a true answer for LATER."""
    job = QuestionJob(LATE, 3, 10**9)
    sent = JobResult(job, answer, [(LATER, Answer(-1, 2, 2, 9))], 5, 0.1, 1)
    return check(worker, "192.0.2.1", job, replace(sent, **changes))


def send_and_settle(check: Check, answer: Answer, worker: str = WORKER) -> None:
    """Send an answer, and wait until it is checked. A fault may be found at any moment."""
    send(check, answer, worker)
    check.settle(hurried=False)


@pytest.mark.parametrize("hurried", [True, False])
@pytest.mark.parametrize(
    ("nodes", "told"), [(10**7, "{} searched again and found true, 0"), (1, "0 searched again and found true, {}")]
)
def test_the_claims_are_counted(
    tmp_path: Path,
    hurried: bool,
    nodes: int,
    told: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(checking, "_CHECK_NODES", nodes)
    with checking_rows(tmp_path, Fact(LATE, 3, 3, 23)) as (_, check):
        check.settle(hurried)
        assert capsys.readouterr().err == ""
        if not hurried:
            # In a hurry, a row of the store need not be searched.
            check.sample()
        makers = [send(check, TRUE, worker).maker for worker in (WORKER, OTHER, WORKER)]
        assert makers[0] == makers[2] != makers[1]
        check.settle(hurried)
    claims = 6 if hurried else 7
    assert capsys.readouterr().err.splitlines()[-1] == (
        f"{claims} claims of 2 workers and the store: {told.format(claims)} not searched to the end"
    )


def test_in_a_hurry_claims_that_were_not_drawn_are_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(Check, "_start_searchers", lambda self: None)
    with checking_rows(tmp_path, share=0.0) as (_, check):
        send(check, TRUE)
        check.settle(hurried=True)
    assert capsys.readouterr().err.splitlines() == [
        "searching 2 more claims again",
        "2 claims of 1 workers and the store: 0 searched again and found true, 2 not searched to the end",
    ]


@pytest.mark.parametrize("share", [0.0, 1.0])
@pytest.mark.parametrize(("answer", "fault"), FALSE.values(), ids=FALSE)
def test_a_false_claim_names_its_worker(tmp_path: Path, share: float, answer: Answer, fault: str) -> None:
    remedy = rf"remove the worker from the cluster, .* book drop --db \S+book\.db --worker {OTHER}$"
    with checking_rows(tmp_path, share=share) as (_, check):
        send(check, TRUE)
        with pytest.raises(FalseWorker, match=f"^{OTHER} sent a false result, {fault}: the run stops; {remedy}"):
            send_and_settle(check, answer, OTHER)


@pytest.mark.parametrize("sampled", [True, False])
@pytest.mark.parametrize("sender", ["the store", WORKER])
def test_a_claim_and_a_row_that_contradict_each_other_are_both_searched(
    tmp_path: Path, sender: str, sampled: bool
) -> None:
    with checking_rows(tmp_path) as (store, check):
        maker = None if sender == "the store" else store.note_worker(check.run, sender, "192.0.2.1", "code")
        store.record([Fact(LATE, 4, 24, maker=maker)], check.run)
        if sampled:
            check.sample()
            with pytest.raises(FalseWorker, match=r"book\.db: a row is false, a search refutes \+4 .* --prove all "):
                check.settle(hurried=False)
            return
        with pytest.raises(FalseWorker) as raised:
            send(check, Answer(3, 3, 23, 5), OTHER)
    if sender == "the store":
        assert str(raised.value).startswith(f"{OTHER} sent +3 to +3 for {LATE}; the store's rows contradict it: ")
        assert "proof fsck --prove all --db" in str(raised.value)
    else:
        assert str(raised.value).startswith(f"{sender} sent a false result, a search refutes +4 or more: ")


def test_a_claim_is_compared_with_the_rows_after_the_moves(tmp_path: Path) -> None:
    with checking_rows(tmp_path, Fact(LATE.play(23), 3, 3)) as (_, check):
        assert send(check, Answer(3, 12, 23, 5)).result == Answer(3, 12, 23, 5)
        with pytest.raises(FalseWorker, match=f"^{WORKER} sent a false result, a search refutes .2 or less: "):
            send(check, Answer(-24, 2, None, 5))


@pytest.mark.parametrize(
    "changes",
    [
        {"job": QuestionJob(LATER, 3, 10**9)},
        {"result": None},
        {"result": Answer(5, 4, None, 1)},
        {"result": Answer(3, 25, None, 1)},
        {"result": Answer(3, 24, 12, 1)},
        {"kept": None},
        {"kept": [(START.play(25), Answer(3, 24, None, 1))]},
        *({name: number} for name in ("nodes", "seconds", "peak_mib") for number in (-1, 1 << 63)),
    ],
    ids=str,
)
def test_what_is_no_result_of_the_job_names_its_worker(tmp_path: Path, changes: dict[str, Any]) -> None:
    with checking_rows(tmp_path) as (_, check):
        assert send(check, TRUE, nodes=0, seconds=0.0, peak_mib=0).maker is not None
        assert send(check, TRUE, nodes=(1 << 63) - 1).maker is not None
        with pytest.raises(
            FalseWorker, match=f"^{OTHER} sent something that is not a result of its job: the run stops"
        ):
            send(check, TRUE, OTHER, **changes)


def test_a_claim_that_cannot_be_searched_ends_the_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def search(self: Check, kernel: Kernel, claim: object) -> None:
        # The run already waits for the check.
        time.sleep(0.2)
        raise MemoryError("none left")

    monkeypatch.setattr(Check, "_search", search)
    error = pytest.raises(CrewError, match=r"cannot be searched again: MemoryError\('none left'\)")
    with checking_rows(tmp_path) as (_, check), error:
        send_and_settle(check, TRUE)


class HeldSearch:
    """A search of claims that waits before a claim that was not drawn, until it is released or for some seconds."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, seconds: float) -> None:
        self.released = threading.Event()
        self.begun: list[Position] = []
        search = Check._search

        def held(check: Check, kernel: Kernel, claim: Any) -> None:
            self.begun.append(claim.position)
            if claim.undrawn:
                self.released.wait(seconds)
            search(check, kernel, claim)

        monkeypatch.setattr(Check, "_search", held)


@pytest.mark.parametrize("draws", [[0.1, 0.9], [0.9, 0.1]])
def test_in_a_hurry_only_the_drawn_claims_are_searched(
    tmp_path: Path, draws: list[float], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    search = HeldSearch(monkeypatch, 20)
    with checking_rows(tmp_path, share=0.5) as (_, check):
        monkeypatch.setattr(check, "_random", SimpleNamespace(random=iter(draws).__next__))
        # The claims are searched after both have come, with the drawn one first.
        with monkeypatch.context() as patch:
            patch.setattr(check, "_start_searchers", lambda: None)
            send(check, TRUE)
        check._start_searchers()
        check.settle(hurried=True)
        assert search.begun[0] == (LATE if draws[0] < 0.5 else LATER)
        search.released.set()
    assert "store: 1 searched again and found true, 1 not searched to the end" in capsys.readouterr().err


@pytest.mark.parametrize(("nodes", "searched"), [(10**9, 2), (0, 0)])
def test_the_end_of_a_run_waits_in_proportion_to_the_nodes_of_its_workers(
    tmp_path: Path, nodes: int, searched: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(checking, "_PATIENCE", 0)
    search = HeldSearch(monkeypatch, 0.1 if searched else 20)
    with checking_rows(tmp_path, share=0.0) as (_, check):
        send(check, TRUE._replace(nodes=nodes), kept=[(LATER, Answer(-1, 2, 2, nodes))])
        check.settle(hurried=False)
        search.released.set()
    told = f"store: {searched} searched again and found true, {2 - searched} not searched to the end"
    assert told in capsys.readouterr().err
