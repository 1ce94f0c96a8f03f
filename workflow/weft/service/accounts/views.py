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
from django.utils.decorators import method_decorator
from django.views.decorators.debug import sensitive_post_parameters

from weft.service.access import everybody
from weft.service.accounts import unsent
from weft.service.accounts.asked import letter, wait_s
from weft.service.accounts.forms import MailAddress, NewPassword, PasswordOfLink
from weft.service.accounts.guesses import guess
from weft.service.accounts.invitations import invited
from weft.service.accounts.models import Person
from weft.service.accounts.rate import wait
from weft.service.tasks.mails import mail

#: A link in a mail is valid so long.
_VALID_S = 24 * 3600
_SALT = "weft.applicant"
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
        self._tried = guess(request, str(request.POST.get("username", "")))
        pause_s = self._tried.wait_s()
        if pause_s > 0:
            return wait(request, pause_s)
        answer: HttpResponse = super().post(request, *args, **kwargs)
        return answer

    def form_valid(self, form: object) -> HttpResponse:
        """Log in; attempts before do not count any more."""
        self._tried.was_right()
        answer: HttpResponse = super().form_valid(form)
        self._keep_unsent()
        return answer


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
    form = MailAddress(request.POST or None)
    if request.method == "POST" and form.is_valid():
        applicant = form.cleaned_data["email"]
        pause_s = wait_s(request, applicant)
        if pause_s > 0:
            return wait(request, pause_s)
        token = signing.dumps(applicant, salt=_SALT)
        link = settings.ORIGIN + reverse("confirm", args=[token])
        known = Person.objects.filter(email=applicant).exists()
        body = letter(request, "an account", "" if known else link, "It has an account already.")
        mail("weft: your account", body, applicant)
        said = "We have sent you a mail. Open the link in it to make your account."
        return render(request, "pages/said.html", {"said": said})
    return render(request, "pages/apply.html", {"form": form})


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
    form = PasswordOfLink(person, request.POST or None)
    if request.method == "POST" and form.is_valid():
        form.save()
        messages.success(request, "Your account is ready. Log in.")
        return redirect("log-in")
    return render(request, "pages/new_password.html", {"form": form, "address": person.email})
