# SPDX-License-Identifier: Apache-2.0
"""Every task that has a model has a path, and the path answers what the task answers."""

from __future__ import annotations

import json
from pathlib import Path

import accord
from accord.app.service.collection import Collection
from accord.app.service.routes import routes_of
from accord.tasks import registry
from accord.tasks.spans import SpanLabeller, SpansConfig, read_labelled, train_spans
from tests.app.service.serving import Client, serving
from tests.tasks.contract import trained


def test_a_pipeline_serves_the_tasks_that_need_no_other_model(client: Client) -> None:
    assert {"/tag", "/tokenize", "/segment", "/summarize", "/compress"} <= client.service.routes.keys()


def test_a_trained_model_gets_the_path_of_its_task_and_answers_texts(tmp_path: Path) -> None:
    one = trained(registry.task("spans"), tmp_path)
    model = tmp_path / "names.accord"
    one.model.save(model)
    with serving(("en", str(model))) as client:
        answers = [client.post(path, one.example.request).json() for path in ("/spans", "/entities")]
        assert answers == [one.task.answer(one.worker, one.example.request)] * 2
        found = client.post("/spans", {"text": "Ana liked Rio."}).json()
        assert found["tokens"] == [["Ana", "liked", "Rio", "."]] and len(found["spans"]) == 1
        assert client.post("/spans", {"text": "a", "model": "nobody"}).status == 404
        assert "'text' or 'conllu'" in client.post("/spans", {"text": 5}).json()["error"]


def test_a_pipeline_finds_the_entities_of_a_text_as_its_documents_do(client: Client) -> None:
    text = "Ana Silva flew from Lisbon to Rio."
    document = client.service.collection.pipelines["en"](text)
    wanted = [(one.label, [word.id for word in one.words]) for one in document.entities]
    found = client.post("/entities", {"text": text}).json()["spans"][0]
    assert [(one["type"], list(range(one["start"] + 1, one["end"] + 1))) for one in found] == wanted != []


def test_texts_are_prepared_by_the_pipeline_of_the_language_of_a_model() -> None:
    collection = Collection.load(["zh", "en", "en-entities"])
    assert (
        collection.pipeline_beside("en-entities", collection.workers["spans"]["en-entities"])
        is (collection.pipelines["en"])
    )
    assert collection.pipeline_beside(None, None) is collection.pipelines["zh"]
    route = routes_of(collection)["/entities"]
    found = route({"text": "Ana Silva flew from Lisbon to Rio.", "model": "en-entities"})
    assert [one["type"] for one in found["spans"][0]] == ["PER", "LOC", "LOC"]


def test_a_model_of_characters_gets_the_characters_of_a_text(tmp_path: Path) -> None:
    file = tmp_path / "names.txt"
    file.write_text("张 B-PER\n三 I-PER\n在 O\n\n李 B-PER\n四 I-PER\n去 O\n", encoding="utf-8")
    labelled = read_labelled(file, SpansConfig())
    labeller = SpanLabeller(train_spans(labelled, None, SpansConfig(epochs=3)).model)
    collection = Collection.load(["en"])
    collection.workers["spans"] = {"names": labeller}
    found = routes_of(collection)["/spans"]({"text": "张三去 李四在\n"})
    assert found["tokens"] == [["张", "三", "去", "李", "四", "在"]]


def test_segments_of_a_chinese_text(client: Client) -> None:
    answer = client.post("/segment", {"texts": ["我爱北京"], "model": "zh"}).json()
    assert answer == {"words": [["我", "爱", "北京"]]}


def test_a_compression_keeps_its_rate(client: Client) -> None:
    text = "The old man, who lived near the lake, bought a very small dog in March."
    answer = client.post("/compress", {"text": text, "rate": 0.5}).json()
    assert 0.4 < answer["rate"] < 0.6 and len(answer["text"]) < len(text)


def test_a_summary_keeps_its_budget(client: Client) -> None:
    texts = ["The battery is great. The screen is small.", "I like the battery. It lasts long."]
    answer = client.post("/summarize", {"texts": texts, "words": 5}).json()
    assert 0 < answer["words"] <= 5


STORM = "On Monday, the storm killed twelve people in Florida. It moved north."


def test_a_summary_shortens_leaves_out_what_is_known_and_says_what_it_could_not(client: Client) -> None:
    request = {"texts": [STORM, "Twelve people died in the storm."], "words": 8}
    answer = client.post("/summarize", {**request, "compress": True}).json()
    assert any("deleted" in one for one in answer["sentences"]) and "note" not in answer
    known = client.post("/summarize", {**request, "earlier": [STORM], "query": "zebra"}).json()
    assert "Florida" not in known["text"] and "no word of the query" in known["note"]
    for wrong in ({"compress": "yes"}, {"earlier": STORM}):
        assert client.post("/summarize", {**request, **wrong}).status == 400


def test_words_that_stay_or_go_and_rules_reach_the_compressor(client: Client) -> None:
    plain = {"text": STORM, "rate": 0.5}
    assert "Monday" not in client.post("/compress", plain).json()["text"]
    assert "Monday" in client.post("/compress", {**plain, "keep": ["Monday"]}).json()["text"]
    assert "Florida" not in client.post("/compress", {"text": STORM, "drop": ["deprel=obl", "Florida"]}).json()["text"]
    assert "in Florida" in client.post("/compress", {**plain, "rules": ["never-cut obl,nmod,case"]}).json()["text"]
    assert client.post("/compress", {**plain, "rules": ["cut what you like"]}).status == 400


def test_a_graph_is_solved_with_a_proof(client: Client) -> None:
    factors = [{"kind": "exactly_one", "variables": [0, 1]}, {"kind": "implies", "variables": [1], "output": 2}]
    answer = client.post("/solve", {"scores": [1, 3, -1], "factors": factors}).json()
    assert (answer["assignment"], answer["value"], answer["proved"]) == ([False, True, True], 2.0, True)
    negated = {"scores": [1], "factors": [{"kind": "exactly_one", "variables": [-1]}]}
    assert client.post("/solve", negated).json()["assignment"] == [False]
    impossible = [{"kind": "exactly_one", "variables": [0, 1]}]
    contradicted = {"scores": [1, 1], "factors": impossible, "evidence": {"0": True, "1": True}}
    assert client.post("/solve", contradicted).status == 400


def test_the_openapi_page_lists_every_path_and_loads_nothing_from_elsewhere(client: Client) -> None:
    paths = client.get("/openapi.json").json()["paths"]
    assert {"/parse", "/process", "/models", "/health", "/metrics", "/solve", *client.service.routes} <= paths.keys()
    for path in ("/", "/docs"):
        assert "http" not in client.get(path).text.replace("http://www.w3.org", "")


def test_examples_of_the_openapi_page_are_answered(client: Client) -> None:
    for path, methods in client.get("/openapi.json").json()["paths"].items():
        content = methods.get("post", {}).get("requestBody", {}).get("content", {})
        if "application/json" in content:
            answer = client.post(path, content["application/json"]["example"])
            assert answer.status == 200 and len(answer.json()) > 0, (path, answer.text)


def test_health_and_metrics(client: Client) -> None:
    assert client.get("/health").json()["status"] == "ok"
    client.post("/parse", {"text": "Counted."})
    metrics = client.get("/metrics").text
    assert 'accord_requests_total{path="/parse",status="200"}' in metrics
    assert 'accord_request_seconds_bucket{path="/parse",le="+Inf"}' in metrics


def test_no_answer_names_a_file_of_the_machine(client: Client) -> None:
    folder = str(Path(accord.__file__).parent)
    for path in ("/about", "/health", "/models", "/metrics", "/openapi.json"):
        assert folder not in client.get(path).text
    for request in ({"text": "a", "model": "../en"}, {"text": "a", "model": folder + "/models/en.accord"}):
        answer = client.post("/parse", request)
        assert answer.status == 404 and "one of en, zh" in answer.json()["error"]


def test_models_are_loaded_once_and_share_the_map() -> None:
    collection = Collection.load(["en"])
    assert collection.workers["tokenizer"]["en"] is collection.pipelines["en"].tokenizer
    assert json.dumps(sorted(collection.names())) == '["en"]'
