"""The store: all the SQL of the annotation server.

Every function is one transaction, takes the time as ``now`` (UTC), and may be called from any thread. What it
acknowledges is on disk. Answers are appended and never changed. Refusals have types (`refusals`). Locks are taken in
one order: annotator, batch, slots, questions. A function that closes other people's batches skips locked ones.
"""

from __future__ import annotations

from importlib.util import find_spec

from similitude.errors import MissingExtraError

if not all(find_spec(name) for name in ("sqlalchemy", "alembic", "argon2")):
    raise MissingExtraError("the annotation server", "annotate")

from similitude.collect.annotation.store.agreement_history import keep_snapshot, kept_snapshots
from similitude.collect.annotation.store.annotator_table import annotator_rows
from similitude.collect.annotation.store.annotators import annotator_names
from similitude.collect.annotation.store.answer_times import AnswerCounts, answer_counts
from similitude.collect.annotation.store.answers import save_answer, save_answers, save_page
from similitude.collect.annotation.store.api_tokens import (
    api_access,
    api_tokens,
    make_api_token,
    revoke_api_token,
)
from similitude.collect.annotation.store.attempts import allowed, count_failure, seconds_to_wait
from similitude.collect.annotation.store.audit import audit_log
from similitude.collect.annotation.store.backups import backup, restore
from similitude.collect.annotation.store.batches import read_batch
from similitude.collect.annotation.store.bonus_lists import (
    bonus_lists,
    hand_over_bonuses,
    make_bonus_list,
    read_bonus_list,
    withdraw_bonus_list,
)
from similitude.collect.annotation.store.breaks import begin_break, end_break
from similitude.collect.annotation.store.console_record import make_console
from similitude.collect.annotation.store.database import Database, ping
from similitude.collect.annotation.store.decisions import decide, take_back_decision
from similitude.collect.annotation.store.departure import (
    decide_qualification,
    exclude,
    finish,
    opt_out,
    qualification_answers,
    readmit,
    remove_person,
    withdraw,
)
from similitude.collect.annotation.store.entry import (
    annotator_of_session,
    consent,
    enter_by_invitation,
    enter_from_platform,
    enter_open,
    enter_preview,
    set_language,
)
from similitude.collect.annotation.store.export import (
    export_csv,
    export_jsonl,
    export_rows,
    write_export,
)
from similitude.collect.annotation.store.import_file import import_rows, parse_export, read_export
from similitude.collect.annotation.store.invitations import invitation_for, invitations, invite, revoke_invitation
from similitude.collect.annotation.store.judgement_table import judgements, timed_judgements
from similitude.collect.annotation.store.last_answer import last_settled
from similitude.collect.annotation.store.leader_invitations import (
    accept_leader_invitation,
    invite_first_leader,
    invite_leader,
    read_leader_invitation,
)
from similitude.collect.annotation.store.leader_sessions import (
    end_other_sessions,
    end_session,
    leader_of_session,
    leader_sessions,
    log_out,
    pending_leader,
    prove_session,
)
from similitude.collect.annotation.store.leaders import (
    add_leader,
    change_password,
    is_password,
    leaders,
    log_in,
    remove_leader,
    set_password,
)
from similitude.collect.annotation.store.memberships import (
    add_member,
    begin_study,
    led_studies,
    members,
    remove_member,
    role_in_study,
    set_admin,
)
from similitude.collect.annotation.store.payments import decide_payment, payments_of, read_amount
from similitude.collect.annotation.store.people import (
    approve_finished,
    find_people,
    pay_so_far,
    people,
    person,
    person_finder,
)
from similitude.collect.annotation.store.person_detail import read_person
from similitude.collect.annotation.store.question_detail import question_detail, question_number
from similitude.collect.annotation.store.question_list import item_languages, list_questions
from similitude.collect.annotation.store.question_summary import refresh, stale
from similitude.collect.annotation.store.readable import question_languages, set_reads
from similitude.collect.annotation.store.remarks import remarks, skipped_questions
from similitude.collect.annotation.store.schema_upgrade import migrate, open_database
from similitude.collect.annotation.store.second_factor import (
    begin_second_factor,
    confirm_second_factor,
    has_second_factor,
    key_address,
    remove_second_factor,
)
from similitude.collect.annotation.store.session_lookup import AtWork, at_work, at_work_in
from similitude.collect.annotation.store.shelved_studies import FileReading, note_reading, read_files
from similitude.collect.annotation.store.skips import skip_question
from similitude.collect.annotation.store.stage_progress import StageProgress, stage_progress
from similitude.collect.annotation.store.studies import add_questions, put_study
from similitude.collect.annotation.store.study_life import ENDED, NEXT_STATES, OWNERS_ONLY, set_state
from similitude.collect.annotation.store.study_progress import progress
from similitude.collect.annotation.store.study_record import StudyRecord, read_study
from similitude.collect.annotation.store.study_summary import StudySummary, study_summary
from similitude.collect.annotation.store.submission import send_batch
from similitude.collect.annotation.store.submissions import worked_in_submission
from similitude.collect.annotation.store.surveys import (
    export_survey,
    save_survey,
    survey_answers,
    survey_rows,
    survey_tally,
)
from similitude.collect.annotation.store.work_queue import next_work
from similitude.collect.annotation.store.write_lane import WriteLane

__all__ = [
    "ENDED",
    "NEXT_STATES",
    "OWNERS_ONLY",
    "AnswerCounts",
    "AtWork",
    "Database",
    "FileReading",
    "StageProgress",
    "StudyRecord",
    "StudySummary",
    "WriteLane",
    "accept_leader_invitation",
    "add_leader",
    "add_member",
    "add_questions",
    "allowed",
    "annotator_names",
    "annotator_of_session",
    "annotator_rows",
    "answer_counts",
    "api_access",
    "api_tokens",
    "approve_finished",
    "at_work",
    "at_work_in",
    "audit_log",
    "backup",
    "begin_break",
    "begin_second_factor",
    "begin_study",
    "bonus_lists",
    "change_password",
    "confirm_second_factor",
    "consent",
    "count_failure",
    "decide",
    "decide_payment",
    "decide_qualification",
    "end_break",
    "end_other_sessions",
    "end_session",
    "enter_by_invitation",
    "enter_from_platform",
    "enter_open",
    "enter_preview",
    "exclude",
    "export_csv",
    "export_jsonl",
    "export_rows",
    "export_survey",
    "find_people",
    "finish",
    "hand_over_bonuses",
    "has_second_factor",
    "import_rows",
    "invitation_for",
    "invitations",
    "invite",
    "invite_first_leader",
    "invite_leader",
    "is_password",
    "item_languages",
    "judgements",
    "keep_snapshot",
    "kept_snapshots",
    "key_address",
    "last_settled",
    "leader_of_session",
    "leader_sessions",
    "leaders",
    "led_studies",
    "list_questions",
    "log_in",
    "log_out",
    "make_api_token",
    "make_bonus_list",
    "make_console",
    "members",
    "migrate",
    "next_work",
    "note_reading",
    "open_database",
    "opt_out",
    "parse_export",
    "pay_so_far",
    "payments_of",
    "pending_leader",
    "people",
    "person",
    "person_finder",
    "ping",
    "progress",
    "prove_session",
    "put_study",
    "qualification_answers",
    "question_detail",
    "question_languages",
    "question_number",
    "read_amount",
    "read_batch",
    "read_bonus_list",
    "read_export",
    "read_files",
    "read_leader_invitation",
    "read_person",
    "read_study",
    "readmit",
    "refresh",
    "remarks",
    "remove_leader",
    "remove_member",
    "remove_person",
    "remove_second_factor",
    "restore",
    "revoke_api_token",
    "revoke_invitation",
    "role_in_study",
    "save_answer",
    "save_answers",
    "save_page",
    "save_survey",
    "seconds_to_wait",
    "send_batch",
    "set_admin",
    "set_language",
    "set_password",
    "set_reads",
    "set_state",
    "skip_question",
    "skipped_questions",
    "stage_progress",
    "stale",
    "study_summary",
    "survey_answers",
    "survey_rows",
    "survey_tally",
    "take_back_decision",
    "timed_judgements",
    "withdraw",
    "withdraw_bonus_list",
    "worked_in_submission",
    "write_export",
]
