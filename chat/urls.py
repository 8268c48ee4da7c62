"""Where a person asks, and comes back to what was answered."""

from __future__ import annotations

from django.urls import path

from chat.views import answers, ask, conversations

urlpatterns = [
    path("", ask.ask, name="ask"),
    path("perguntas/<uuid:token>/", ask.attempt, name="attempt"),
    path("conversas/", conversations.listed, name="conversations"),
    path("conversas/<uuid:conversation>/renomear/", conversations.rename, name="rename_conversation"),
    path("conversas/<uuid:conversation>/excluir/", conversations.delete, name="delete_conversation"),
    path("respostas/<uuid:evidence>/", answers.answer, name="answer"),
    path("respostas/<uuid:evidence>/enviar/", answers.send, name="send_question"),
    path("respostas/<uuid:evidence>/contestar/", answers.object_to, name="object_to_answer"),
]
