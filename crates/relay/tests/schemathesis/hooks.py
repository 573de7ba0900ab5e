"""Who calls: the person who is named by ASSENT_EMAIL, whoever has ASSENT_TOKEN, or nobody."""

import os
import re

import requests
import schemathesis

RELAY = os.environ["ASSENT_RELAY"]


def log_in():
    credentials = {
        "email": os.environ["ASSENT_EMAIL"],
        "account_password": os.environ["ASSENT_PASSWORD"],
        "cookie": False,
    }
    answer = requests.post(f"{RELAY}/auth/login", json=credentials, timeout=30)
    answer.raise_for_status()
    return answer.json()["data"]["access_token"]


def show(case, token):
    case.headers = case.headers or {}
    case.headers["Authorization"] = f"Bearer {token}"


class Person:
    def get(self, case, context):
        return log_in()

    def set(self, case, token, context):
        show(case, token)


class Agent:
    def get(self, case, context):
        return os.environ["ASSENT_TOKEN"]

    def set(self, case, token, context):
        show(case, token)


if "ASSENT_EMAIL" in os.environ:
    # An access token is good for 300 seconds.
    schemathesis.auth(refresh_interval=120).skip_for(path="/auth/logout")(Person)

    # To log out ends a login: it gets one of its own, and the others go on.
    class Leaving(Person):
        pass

    schemathesis.auth(refresh_interval=2).apply_to(path="/auth/logout")(Leaving)
elif "ASSENT_TOKEN" in os.environ:
    schemathesis.auth()(Agent)


def representable(value):
    """The nearest value without integers that no double is: the relay refuses to read those anywhere in a
    body, because readers disagree about them, and a schema cannot say that of fields that it does not name."""
    if isinstance(value, dict):
        return {name: representable(part) for name, part in value.items()}
    if isinstance(value, list):
        return [representable(part) for part in value]
    if isinstance(value, int) and not isinstance(value, bool):
        return value if abs(value) <= 2**53 else max(min(int(float(value)), 2**60), -(2**60))
    return value


@schemathesis.hook
def map_body(context, body):
    return representable(body)


# As the document has it.
IF_MATCH = re.compile(r"""(\*|(W/)?"[ !#-+\--~]*") *(, *(\*|(W/)?"[ !#-+\--~]*") *)*""")


@schemathesis.hook
def map_case(context, case):
    without_wrong_tags(case)
    without_long_waits(case)
    return case


def without_wrong_tags(case):
    """Schemathesis makes no quotation marks for headers. It sends other values instead and takes them for
    right ones: those are taken away. What it takes for wrong ones is sent."""
    tags = (case.headers or {}).get("If-Match")
    is_right = case.meta is not None and case.meta.generation.mode.value == "positive"
    if tags is not None and is_right and not IF_MATCH.fullmatch(tags):
        del case.headers["If-Match"]


def without_long_waits(case):
    """A long poll for what does not come lasts as long as it was asked to: a second shows as much as thirty."""
    wait = (case.query or {}).get("wait_s")
    if isinstance(wait, int) and 1 < wait < 2**53:
        case.query["wait_s"] = 1
