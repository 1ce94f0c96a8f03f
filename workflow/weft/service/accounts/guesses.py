"""Passwords of accounts that somebody tries: one limit, wherever a page asks for one."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Q
from django.http import HttpRequest

from weft.service.accounts.addresses import plain_address
from weft.service.accounts.models import Attempt, Person
from weft.service.accounts.rate import Limit, caller

#: Passwords that one caller tries, those for one account among them.
_FROM, _TO = Limit("log-in from", 50, longest_pause_s=15), Limit("log-in to", 10, pause_s=30)


@dataclass(frozen=True, slots=True)
class Guess:
    """A password that a caller tries for an account."""

    caller: str
    account: str

    def wait_s(self) -> float:
        """Count it and return 0, or return the seconds until the caller may try again."""
        return max(_FROM.wait_s(self.caller), _TO.wait_s(self.caller, self.account))

    def was_right(self) -> None:
        """Attempts before it do not count any more."""
        _TO.forget(self.caller, self.account)
        _FROM.forgive(self.caller)


def guess(request: HttpRequest, name: str) -> Guess:
    """The password that a request brings for the account of this name, however that is written."""
    return Guess(caller(request), _account(name))


def erase(person: Person) -> None:
    """Nobody has tried anything for this account."""
    of_person = Q(key__endswith=f" account {person.pk}") | Q(key__endswith=f" name {person.email}")
    Attempt.objects.filter(of_person, kind=_TO.kind).delete()


def _account(name: str) -> str:
    """What names the account that a log-in finds under a name."""
    plain = plain_address(name)
    found = Person.objects.filter(email=plain).values_list("pk", flat=True).first()
    return f"account {found}" if found is not None else f"name {plain}"
