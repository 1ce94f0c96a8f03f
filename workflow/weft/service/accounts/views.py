"""Applying for an account, confirming it, logging in and out."""

from __future__ import annotations

from django.conf import settings
from django.contrib import admin, messages
from django.contrib.auth.hashers import make_password
from django.contrib.auth.views import LoginView, LogoutView, redirect_to_login
from django.core import signing
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.decorators import method_decorator
from django.views.decorators.debug import sensitive_post_parameters

from weft.service.access import everybody
from weft.service.accounts import unsent
from weft.service.accounts.forms import Application, NewPassword
from weft.service.accounts.invitations import invited
from weft.service.accounts.models import Person, plain_address
from weft.service.accounts.rate import Limit, address, caller, wait
from weft.service.tasks.mails import mail

#: A link in a mail is valid so long.
_VALID_S = 24 * 3600
_SALT = "weft.applicant"
#: Passwords that one caller tries, those for one account among them.
_FROM, _TO = Limit("log-in from", 50, longest_pause_s=15), Limit("log-in to", 10, pause_s=30)
#: Each application is a mail to somebody who may not have asked for it.
_BY = Limit("application by", 20, pause_s=60)
_OF = Limit("application of", 3, pause_s=300)
_NO_ADMINISTRATOR = "These pages are for administrators, and your account is none of theirs."


@method_decorator(sensitive_post_parameters(), name="dispatch")
class LogIn(LoginView):
    """Logging in, with a limit for each address and each account."""

    template_name = "pages/log_in.html"
    redirect_authenticated_user = True

    def dispatch(self, request: HttpRequest, *args: object, **kwargs: object) -> HttpResponse:
        """Whoever has logged in meanwhile, in another tab, goes on to the form."""
        if request.user.is_authenticated:
            self._keep_unsent()
        answer: HttpResponse = super().dispatch(request, *args, **kwargs)
        return answer

    def get_context_data(self, **more: object) -> dict[str, object]:
        """With what a form was to be sent with, so that a wrong password does not lose it."""
        context: dict[str, object] = super().get_context_data(**more)
        return {**context, unsent.FIELD: self.request.POST.get(unsent.FIELD, "")}

    def _keep_unsent(self) -> None:
        if text := str(self.request.POST.get(unsent.FIELD, "")):
            unsent.keep(self.request, text)

    def post(self, request: HttpRequest, *args: object, **kwargs: object) -> HttpResponse:
        """Check the limits before the password."""
        self._tried = caller(request), _account(str(request.POST.get("username", "")))
        wait_s = max(_FROM.wait_s(self._tried[0]), _TO.wait_s(*self._tried))
        if wait_s > 0:
            return wait(request, wait_s)
        answer: HttpResponse = super().post(request, *args, **kwargs)
        return answer

    def form_valid(self, form: object) -> HttpResponse:
        """Log in; attempts before do not count any more."""
        _TO.forget(*self._tried)
        _FROM.forgive(self._tried[0])
        answer: HttpResponse = super().form_valid(form)
        self._keep_unsent()
        return answer


def _account(name: str) -> str:
    """What names the account that the form finds under a name, however that is written."""
    plain = plain_address(name)
    found = Person.objects.filter(email=plain).values_list("pk", flat=True).first()
    return f"account {found}" if found is not None else f"name {plain}"


log_in = everybody(LogIn.as_view())
log_out = everybody(LogoutView.as_view())


@everybody
def log_in_to_admin(request: HttpRequest) -> HttpResponse:
    """Administrators log in where everybody does."""
    if not request.user.is_authenticated:
        return redirect_to_login(request.GET.get("next") or reverse("admin:index"))
    if admin.site.has_permission(request):
        return redirect("admin:index")
    return render(request, "pages/said.html", {"said": _NO_ADMINISTRATOR}, status=403)


@everybody
def apply(request: HttpRequest) -> HttpResponse:
    """A provisional application: a mail with a link, where a password makes it an account.

    Neither the answer nor its time depends on whether the address has an account.
    """
    form = Application(request.POST or None)
    if request.method == "POST" and form.is_valid():
        applicant = form.cleaned_data["email"]
        wait_s = max(_BY.wait_s(caller(request)), _OF.wait_s(applicant))
        if wait_s > 0:
            return wait(request, wait_s)
        token = signing.dumps(applicant, salt=_SALT)
        link = settings.ORIGIN + reverse("confirm", args=[token])
        known = Person.objects.filter(email=applicant).exists()
        mail("weft: your account", _letter(request, "" if known else link), applicant)
        said = "We have sent you a mail. Open the link in it to make your account."
        return render(request, "pages/said.html", {"said": said})
    return render(request, "pages/apply.html", {"form": form})


def _letter(request: HttpRequest, link: str) -> str:
    """The mail to an applicant; without a link to somebody who has an account."""
    asked = (
        f"Somebody at the network address {address(request)[:60]} asked weft for an account with "
        f"your mail address, on {timezone.now():%Y-%m-%d at %H:%M} UTC."
    )
    if not link:
        return f"{asked}\n\nIt has an account already. Nothing has changed.\n"
    return (
        f"{asked}\n\nIf that was you, open this link within a day and choose your password:\n\n"
        f"{link}\n\nIf it was not, do nothing: without the link there is no account.\n"
    )


@everybody
@sensitive_post_parameters()
def confirm(request: HttpRequest, token: str) -> HttpResponse:
    """The link of the mail: choosing a password there makes the account, once."""
    try:
        applicant = str(signing.loads(token, salt=_SALT, max_age=_VALID_S))
    except signing.BadSignature:
        said = "This link is not valid, or no longer. Apply again."
        return render(request, "pages/said.html", {"said": said}, status=404)
    if Person.objects.filter(email=applicant).exists():
        said = "This link has made its account already. Log in."
        return render(request, "pages/said.html", {"said": said}, status=404)
    form = NewPassword(request.POST or None)
    if request.method == "POST" and form.is_valid():
        made = {"password": make_password(form.cleaned_data["password"]), "guest": True}
        Person.objects.get_or_create(email=applicant, defaults=made)
        messages.success(request, "Your account is ready. Log in.")
        return redirect("log-in")
    return render(request, "pages/new_password.html", {"form": form, "address": applicant})


@everybody
@sensitive_post_parameters()
def invitation(request: HttpRequest, token: str) -> HttpResponse:
    """The link of an invitation: its owner chooses a password, once."""
    person = invited(token)
    if person is None:
        said = "This link is not valid, or no longer. Ask whoever invited you for another one."
        return render(request, "pages/said.html", {"said": said}, status=404)
    form = NewPassword(request.POST or None)
    if request.method == "POST" and form.is_valid():
        person.set_password(form.cleaned_data["password"])
        person.save(update_fields=["password"])
        messages.success(request, "Your account is ready. Log in.")
        return redirect("log-in")
    return render(request, "pages/new_password.html", {"form": form, "address": person.email})
