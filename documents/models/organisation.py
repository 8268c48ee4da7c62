"""Areas and units of the company. Who belongs to one is membership of its group: there is no second list of people."""

from __future__ import annotations

from django.contrib.auth.models import Group
from django.db import models
from django.utils.translation import gettext_lazy as _

from documents.rules.audience import AREA_PREFIX, UNIT_PREFIX

EVERYONE = "todos"
"""The group that every active person is in, with or without a row that says so."""


class Place(models.Model):
    """What an area and a unit share: a slug that never changes, a name, and the group of its people."""

    group_prefix = ""

    slug = models.SlugField(_("slug"), max_length=60, unique=True)
    name = models.CharField(_("name"), max_length=120)
    group = models.OneToOneField(Group, models.PROTECT, editable=False, verbose_name=_("group"))

    class Meta:
        abstract = True

    def __str__(self) -> str:
        return self.name

    def save(self, *args: object, **kwargs: object) -> None:
        if self.group_id is None:
            self.group, _created = Group.objects.get_or_create(name=f"{self.group_prefix}{self.slug}")
        super().save(*args, **kwargs)  # type: ignore[arg-type]


class Area(Place):
    group_prefix = AREA_PREFIX

    class Meta:
        verbose_name = _("area")
        verbose_name_plural = _("areas")
        ordering = ["name"]


class Unit(Place):
    group_prefix = UNIT_PREFIX

    jurisdiction = models.CharField(_("jurisdiction"), max_length=20, help_text=_("ISO 3166-2, such as BR-SP."))

    class Meta:
        verbose_name = _("unit")
        verbose_name_plural = _("units")
        ordering = ["name"]


class Channel(models.Model):
    """Where to ask a person, by area; the one without an area serves the rest."""

    area = models.OneToOneField(Area, models.CASCADE, null=True, blank=True, verbose_name=_("area"))
    label = models.CharField(_("label"), max_length=120)
    url = models.CharField(_("address"), max_length=500)

    class Meta:
        verbose_name = _("channel")
        verbose_name_plural = _("channels")
        constraints = [
            models.UniqueConstraint(
                models.Value(1), condition=models.Q(area=None), name="documents_channel_one_default"
            ),
        ]

    def __str__(self) -> str:
        return self.label
