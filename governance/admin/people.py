"""People and groups. What a person may do follows from groups; Django's model permissions mean nothing here."""

from __future__ import annotations

from django.contrib import admin
from django.contrib.auth.admin import UserAdmin as StockUserAdmin
from django.contrib.auth.models import Group, User
from django.utils.translation import gettext_lazy

admin.site.unregister([User, Group])


@admin.register(User)
class UserAdmin(StockUserAdmin):
    """An administrator's page: areas, units and roles are groups (`area:…`, `unit:…`, `role:…`)."""

    filter_horizontal = ()
    list_per_page = 50
    list_display = ["username", "first_name", "last_name", "is_active", "is_staff"]
    list_filter = ["is_active", "is_staff"]
    search_help_text = gettext_lazy("Username, name or e-mail.")
    fieldsets = [
        (None, {"fields": ["username", "password"]}),
        (gettext_lazy("Person"), {"fields": ["first_name", "last_name", "email"]}),
        (gettext_lazy("Access"), {"fields": ["is_active", "is_staff", "is_superuser", "groups"]}),
        (gettext_lazy("Dates"), {"fields": ["last_login", "date_joined"]}),
    ]
    readonly_fields = ["last_login", "date_joined"]


@admin.register(Group)
class GroupAdmin(admin.ModelAdmin):
    fields = ["name"]
    search_fields = ["name"]
    ordering = ["name"]
    list_per_page = 100
