"""A result of a cluster's worker is used once, even if it arrives several times."""

from pathlib import Path

from little_go.book.store.store import open_store
from little_go.generator.workers.checking import Check
from little_go.generator.workers.worker import JobResult, QuestionJob
from little_go.solver.family import COURSE
from little_go.solver.native.kernel import Kernel
from little_go.solver.native.table import open_table
from little_go.solver.position import START, parse_moves, play_all

#: Positions with few plies left, whose searches take no time.
LATE = play_all(START, parse_moves("2,2 1,2 2,1 2,3 3,3 1,3 3,4 1,1 1,0 3,2 3,1 1,4 0,0 4,2"))
LATER = LATE.play(LATE.legal_moves()[0])


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
