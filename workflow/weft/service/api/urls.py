"""Where workers call."""

from django.urls import path

from weft.service.api import views

urlpatterns = [
    path("claim", views.claim),
    path("tasks/<str:name>/files/<str:digest>", views.file),
    path("tasks/<str:name>/accept", views.accept),
    path("tasks/<str:name>/heartbeat", views.heartbeat),
    path("tasks/<str:name>/interrupted", views.interrupted),
    path("tasks/<str:name>/result/<int:offset>", views.piece),
    path("tasks/<str:name>/finish", views.finish),
]
