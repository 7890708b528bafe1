import pytest

from similitude.errors import ArgumentError
from similitude.models.language.endpoint import Endpoint, open_endpoint

SECRET = "sk-live-3f9a7c"


@pytest.mark.parametrize(
    ("written", "url"),
    [
        ("https://Host.example/v1/", "https://host.example/v1"),
        ("http://localhost:8080", "http://localhost:8080"),
        ("https://host.example/openai/v1/chat/completions", "https://host.example/openai/v1"),
        (" http://[::1]:80/v1 ", "http://[::1]:80/v1"),
    ],
)
def test_urls_are_written_one_way(written, url):
    assert Endpoint(model="m", url=written).url == url


@pytest.mark.parametrize(
    "url",
    [
        "",
        "host/v1",
        "ftp://host/v1",
        "https://",
        "https://host:port/v1",
        "https://[::1/v1",
        f"https://host/v1?key={SECRET}",
    ],
)
def test_a_url_that_cannot_be_is_refused(url):
    with pytest.raises(ArgumentError, match="the endpoint's URL"):
        Endpoint(model="m", url=url)


@pytest.mark.parametrize("url", [f"https://user:{SECRET}@host/v1", f"https://{SECRET}@host/v1"])
def test_a_password_in_the_url_is_refused_and_not_repeated(url):
    with pytest.raises(ArgumentError, match="key_variable") as caught:
        Endpoint(model="m", url=url)
    assert SECRET not in repr(caught.value) + str(caught.value)


def test_the_key_in_place_of_its_variable_is_refused_and_not_repeated():
    with pytest.raises(ArgumentError, match="never the key itself") as caught:
        open_endpoint("m", key_variable=SECRET)
    assert SECRET not in repr(caught.value) + str(caught.value)


@pytest.mark.parametrize(
    ("name", "value"),
    [("concurrency", 0), ("retries", -1), ("timeout", 0), ("requests_a_minute", -5), ("window", 0), ("model", " ")],
)
def test_values_that_cannot_be_are_refused(name, value):
    with pytest.raises(ArgumentError):
        Endpoint(**({"model": "m"} | {name: value}))


@pytest.mark.parametrize(
    ("url", "loopback"),
    [
        ("http://localhost:1/v1", True),
        ("http://127.0.0.9/v1", True),
        ("http://[::1]/v1", True),
        ("http://0.0.0.0:8000/v1", True),
        ("http://my.localhost/v1", True),
        ("http://192.168.1.7/v1", False),
        ("https://localhost.example.com/v1", False),
    ],
)
def test_what_is_loopback(url, loopback):
    assert Endpoint(model="m", url=url).is_loopback == loopback


def test_the_usual_key_does_not_go_to_loopback():
    environment = {"OPENAI_API_KEY": SECRET, "MY_KEY": "mine"}
    here = "http://localhost:8000/v1"
    assert Endpoint(model="m", url=here).read_key(environment) is None
    assert Endpoint(model="m", url=here, key_variable="MY_KEY").read_key(environment) == "mine"
    assert Endpoint(model="m").read_key(environment) == SECRET
    assert Endpoint(model="m", key_variable=None).read_key(environment) is None


def test_a_missing_key_names_its_variable():
    with pytest.raises(ArgumentError, match=r"MY_KEY contains no key for host\.example"):
        Endpoint(model="m", url="https://host.example/v1", key_variable="MY_KEY").read_key({})


def test_a_key_is_stripped_and_one_that_cannot_be_sent_is_not_repeated():
    endpoint = Endpoint(model="m", key_variable="MY_KEY")
    assert endpoint.read_key({"MY_KEY": f" {SECRET}\n"}) == SECRET
    for broken in (f"{SECRET}\nx", f"{SECRET} x", f"{SECRET}ä"):
        with pytest.raises(ArgumentError, match="cannot be a key") as caught:
            endpoint.read_key({"MY_KEY": broken})
        assert SECRET not in str(caught.value)


def test_the_fingerprint_follows_what_changes_answers_and_nothing_else():
    plain = Endpoint(model="m", url="https://host/v1")
    same = Endpoint(model="m", url="https://HOST/v1/", concurrency=3, timeout=5, retries=0, price_in=1, window=10)
    assert same.key == plain.key
    others = [
        Endpoint(model="n", url="https://host/v1"),
        Endpoint(model="m", url="https://host/v2"),
        Endpoint(model="m", url="https://host/v1", api="completions"),
        Endpoint(model="m", url="https://host/v1", constrain="plain"),
        Endpoint(model="m", url="https://host/v1", extra={"reasoning_effort": "low"}),
    ]
    assert len({one.key.fingerprint for one in [plain, *others]}) == 6
