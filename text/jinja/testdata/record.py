# record.py > cases.json: what Jinja2 makes of the templates in snippets.txt and of the files *.jinja, in the environment that
# transformers makes for templates of chats. A text of null is an error.
import glob, json, os, sys
from transformers.utils import chat_template_utils

here = os.path.dirname(os.path.abspath(__file__))
values = json.load(open(os.path.join(here, "values.json"), encoding="utf-8"))

def render(text, data):
    try:
        out = chat_template_utils._compile_jinja_template(text).render(**data)
        out.encode("utf-8")
        return out
    except Exception as e:
        return None

snippets = open(os.path.join(here, "snippets.txt"), encoding="utf-8", newline="").read().split("\n====\n")
out = {"snippets": [render(s, values["snippets"]) for s in snippets], "chats": {}}
for path in sorted(glob.glob(os.path.join(sys.argv[1] if len(sys.argv) > 1 else here, "*.jinja"))):
    text = open(path, encoding="utf-8", newline="").read()
    out["chats"][os.path.basename(path)] = [render(text, {"bos_token": "<s>", "eos_token": "</s>", "tools": None, **c}) for c in values["chats"]]
json.dump(out, sys.stdout, ensure_ascii=False, indent=0)
