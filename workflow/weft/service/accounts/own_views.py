"""One's own account: what it is, and its end."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth import logout
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_safe

from weft.service.access import signed_in
from weft.service.accounts.forms import CurrentPassword
from weft.service.accounts.guesses import guess
from weft.service.accounts.models import Person
from weft.service.accounts.rate import wait

_LAST = (
    "You are the only administrator. Make somebody else one on the admin pages, then delete your "
    "account."
)


@signed_in
@require_safe
def account(request: HttpRequest) -> HttpResponse:
    """The account of whoever is logged in."""
    return render(request, "pages/account.html")


@signed_in
@sensitive_post_parameters()
def delete(request: HttpRequest) -> HttpResponse:
    """The end of an account, for whoever knows its password."""
    person = request.user
    if _is_last_administrator(person):
        return render(request, "pages/said.html", {"said": _LAST}, status=409)
    form = CurrentPassword(person, request.POST or None)
    if request.method == "POST":
        tried = guess(request, person.email)
        pause_s = tried.wait_s()
        if pause_s > 0:
            return wait(request, pause_s)
        if form.is_valid():
            tried.was_right()
            person.delete()
            logout(request)
            messages.success(request, "Your account is deleted, with all in it.")
            return redirect("log-in")
    return render(request, "pages/delete_account.html", {"form": form})


def _is_last_administrator(person: Person) -> bool:
    administrators = Person.objects.filter(is_active=True, is_superuser=True)
    return person.is_superuser and not administrators.exclude(pk=person.pk).exists()
