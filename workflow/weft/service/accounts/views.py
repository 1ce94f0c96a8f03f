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
from weft.service.accounts.forms import Application, NewPassword
from weft.service.accounts.invitations import invited
from weft.service.accounts.models import Person
from weft.service.accounts.rate import TOO_OFTEN, allowed, caller, forget
from weft.service.tasks.mails import mail

#: A link in a mail is valid so long.
_VALID_S = 24 * 3600
_SALT = "weft.application"
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
        self._account = str(request.POST.get("username", "")).lower()
        counted = allowed("log-in from", caller(request), 50)
        if not (allowed("log-in to", self._account, 10) and counted):
            return render(request, "pages/said.html", {"said": TOO_OFTEN}, status=429)
        answer: HttpResponse = super().post(request, *args, **kwargs)
        return answer

    def form_valid(self, form: object) -> HttpResponse:
        """Log in; attempts before do not count any more."""
        forget("log-in to", self._account)
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
@sensitive_post_parameters()
def apply(request: HttpRequest) -> HttpResponse:
    """A provisional application: a mail with a link makes it an account.

    The answer does not depend on whether the address has an account.
    """
    form = Application(request.POST or None)
    if request.method == "POST" and form.is_valid():
        address = form.cleaned_data["email"].lower()
        counted = allowed("application from", caller(request), 20)
        if not (allowed("application of", address, 3) and counted):
            return render(request, "pages/said.html", {"said": TOO_OFTEN}, status=429)
        if Person.objects.filter(email=address).exists():
            body = "Somebody asked for an account with this address, which has one already.\n"
        else:
            asked = [address, make_password(form.cleaned_data["password"])]
            token = signing.dumps(asked, salt=_SALT, compress=True)
            link = settings.ADDRESS + reverse("confirm", args=[token])
            body = f"Open this link within a day to make your account:\n\n{link}\n"
        mail("weft: your account", body, address)
        said = "We have sent you a mail. Open the link in it to make your account."
        return render(request, "pages/said.html", {"said": said})
    return render(request, "pages/apply.html", {"form": form})


@everybody
def confirm(request: HttpRequest, token: str) -> HttpResponse:
    """The link of the mail: makes the account, once."""
    try:
        address, password = signing.loads(token, salt=_SALT, max_age=_VALID_S)
    except signing.BadSignature:
        said = "This link is not valid, or no longer. Apply again."
        return render(request, "pages/said.html", {"said": said}, status=404)
    if request.method != "POST":
        # Programs that look through mails open links; only a person presses the button.
        return render(request, "pages/confirm.html", {"address": address})
    Person.objects.get_or_create(email=address, defaults={"password": password, "guest": True})
    messages.success(request, "Your account is ready. Log in.")
    return redirect("log-in")


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
    return render(request, "pages/invited.html", {"form": form, "address": person.email})
