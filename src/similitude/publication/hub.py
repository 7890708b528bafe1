"""Uploads to the Hugging Face hub, by its own client. HF_ENDPOINT names another hub, HF_TOKEN the token."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal

from similitude.errors import ArgumentError, MissingExtraError, RunError

__all__ = ["check_client", "push_folder"]

TRANSPORTS = ("httpx", "httpcore", "requests", "urllib3", "hf_xet")
"""Packages, with those that continue them, such as httpx2, whose errors mean that the network failed."""
LOGIN = "log in with 'hf auth login', or set HF_TOKEN to a token that may write"


def check_client() -> None:
    """Refuse before any work is done if nothing can be pushed.

    Raises:
        MissingExtraError: huggingface_hub is not installed.
        ArgumentError: there is no token.
    """
    if _client().get_token() is None:
        raise ArgumentError("the hub needs to know who you are, and there is no token", remedy=LOGIN)


def push_folder(
    folder: Path,
    repository: str,
    *,
    kind: Literal["dataset", "model"],
    version: str,
    private: bool = False,
    without: Sequence[str] = (),
    instead_of: Sequence[str] = (),
) -> str:
    """Upload a folder as one commit, tagged with the version.

    Args:
        folder: what to upload.
        repository: owner and name; it is made if there is none.
        kind: "dataset" or "model".
        version: becomes a tag, so that this version can be loaded later: ``revision="1.0.0"``.
        private: whether a new repository is private.
        without: patterns of files that are not uploaded.
        instead_of: patterns of files of an earlier version, which are deleted in the repository if they are not in
            this one.

    Returns:
        The address of the repository.

    Raises:
        ArgumentError: there is no token, or it does not allow this.
        RunError: the hub cannot be reached, refuses, or has this version already.
    """
    client = _client()
    check_client()
    api = client.HfApi()
    try:
        made = api.create_repo(repository, repo_type=kind, private=private, exist_ok=True)
        _check_version(api, repository, kind, version)
        api.upload_folder(
            repo_id=repository,
            repo_type=kind,
            folder_path=folder,
            commit_message=f"Version {version}",
            ignore_patterns=list(without) or None,
            delete_patterns=list(instead_of) or None,
        )
        api.create_tag(repository, tag=version, repo_type=kind)
    except client.errors.HfHubHTTPError as error:
        raise _refused(error, repository) from None
    except (OSError, ValueError, client.errors.HFValidationError) as error:
        raise _unreachable(error, repository) from None
    except (TypeError, LookupError, AttributeError):
        what = f"what answers at {api.endpoint} is no hub"
        raise RunError(
            what, where=repository, remedy="check HF_ENDPOINT, and push again; the files are written"
        ) from None
    except Exception as error:  # the client hands on what its transport raises
        if not type(error).__module__.startswith(TRANSPORTS):
            raise
        raise _unreachable(error, repository) from None
    return str(made)


def _check_version(api: Any, repository: str, kind: str, version: str) -> None:
    tags = [tag.name for tag in api.list_repo_refs(repository, repo_type=kind).tags]
    if version in tags:
        what = f"version {version} is published there already"
        raise RunError(what, where=repository, remedy="a published version stays as it is; raise --version")


def _refused(error: Any, repository: str) -> ArgumentError | RunError:
    status = getattr(getattr(error, "response", None), "status_code", None)
    why = " ".join(str(getattr(error, "server_message", None) or error).split())[:300]
    if status in (401, 403):
        return ArgumentError(f"the hub refuses the token ({status}): {why}", where=repository, remedy=LOGIN)
    return RunError(f"the hub refuses ({status}): {why}", where=repository, remedy="correct that, and push again")


def _unreachable(error: Exception, repository: str) -> RunError:
    why = " ".join(str(error).split())[:300] or type(error).__name__
    remedy = "check the network and HF_ENDPOINT, and push again; the files are written"
    return RunError(f"cannot be pushed: {why}", where=repository, remedy=remedy)


def _client() -> Any:
    try:
        import huggingface_hub
        import huggingface_hub.errors
    except ImportError:
        raise MissingExtraError("the client of the hub", "huggingface") from None
    return huggingface_hub
