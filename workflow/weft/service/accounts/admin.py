"""People in the admin pages."""

from django.contrib import admin
from django.contrib.auth.models import Group

from weft.service.accounts.models import Person

# Nobody here belongs to groups: an administrator is a superuser.
admin.site.unregister(Group)


@admin.register(Person)
class PersonAdmin(admin.ModelAdmin):
    """Accounts and their quotas."""

    list_display = ("email", "is_active", "is_staff", "guest", "most_open_tasks", "most_open_s")
    search_fields = ("email",)
    fields = ("email", "is_active", "is_staff", "is_superuser", "guest", "most_open_tasks",
              "most_open_s")  # fmt: skip
