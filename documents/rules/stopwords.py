"""Portuguese words that carry no content of their own, in their accented spelling."""

from __future__ import annotations

_STOP = """
a à ao aos aquela aquelas aquele aqueles aquilo as às até cada com como da das de dela delas dele deles demais desde
dessa dessas desse desses desta destas deste destes disso disto do dos e é ela elas ele eles em entre era eram éramos
essa essas esse esses esta está estamos estão estar estas estava estavam estávamos este esteja estejam estejamos estes
esteve estive estivemos estiver estivera estiveram estiverem estivermos estivesse estivessem estou eu foi fomos for
fora foram forem formos fosse fossem fôssemos fui há haja hajam hajamos hão havemos havia haver hei houve houvemos
houver houvera houveram houverem houvermos houvesse houvessem isso isto já lhe lhes mais mas me mediante mesmo mesma
mesmos mesmas meu meus minha minhas muito na nas nem nessa nessas nesse nesses nesta nestas neste nestes nisso nisto
no nos nós nossa nossas nosso nossos num numa não o onde os ou para pela pelas pelo pelos per perante por porém porque
porquê pois pra pro qual quais qualquer quaisquer quando quanto quanta quantos quantas que quê quem se seja sejam
sejamos sem sendo ser será serão serei seremos seria seriam seríamos seu seus si sido só sob sobre somos sou sua suas
são também tampouco tanto te tem têm temos tendo tenha tenham tenhamos tenho ter terá terão terei teremos teria teriam
teríamos teu teus teve tido tinha tinham tínhamos tive tivemos tiver tivera tiveram tiverem tivermos tivesse tivessem
todo toda todos todas tu tua tuas um uma umas uns você vocês vos cujo cuja cujos cujas aonde através conforme enquanto
então etc ainda assim apenas logo ali aqui lá quer
"""
_FILLERS = """
acho agora ajuda ajudar alguém algum alguma algo bom boa obrigado obrigada oi olá consigo consegue conseguimos devo
diga diz dizer dúvida existe existem explica explicar explique faço faz fazem fazer favor fica ficar fico funciona
funcionam gente gostaria informa informar informe mim pessoal poderia pode podem podemos posso precisa precisam
preciso precisamos precisar quero queria queremos sabe saber sabia sei tá tô vai vale vcs vc vou né
"""

STOP = frozenset(_STOP.split())
"""Articles, prepositions, pronouns, conjunctions, and the forms of ser, estar, haver and ter."""

FILLERS = frozenset(_FILLERS.split())
"""What people wrap a question in: said to whoever answers, never written in the rule that answers."""

COMMON = tuple(sorted(STOP | FILLERS))
"""Words of the language in general: the mean of their vectors is what every word vector has in common."""
