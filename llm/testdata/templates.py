# templates.py FOLDER > templates.json: prompts that transformers makes of chats by the templates in a folder, those of the module
# github.com/ardanlabs/jinja (testdata/templates).
import glob, json, os, sys
from transformers.utils.chat_template_utils import render_jinja_template
tool = {"type": "function", "function": {"name": "weather", "description": "The weather of a city", "parameters": {"type": "object", "properties": {"city": {"type": "string", "description": "its name"}}, "required": ["city"]}}}
chats = [
  {"messages": [{"role": "user", "content": "Hi!"}]},
  {"messages": [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "a <b> & \"c\" é"}, {"role": "assistant", "content": "d"}, {"role": "user", "content": " e\n"}]},
  {"messages": [{"role": "user", "content": "Rain?"}], "tools": [tool]},
]
out = {}
for path in sorted(glob.glob(os.path.join(sys.argv[1], "*.jinja"))):
    text = open(path, encoding="utf-8").read()
    if "strftime_now" in text: continue # says today's date
    rows = []
    for c in chats:
        try:
            r, _ = render_jinja_template([c["messages"]], tools=c.get("tools"), chat_template=text, add_generation_prompt=True, bos_token="<s>", eos_token="</s>")
            rows.append(r[0] if len(r[0]) < 6000 else None)
        except Exception as e:
            rows.append(None)
    out[os.path.basename(path)] = rows
json.dump({"chats": chats, "prompts": out}, sys.stdout, ensure_ascii=False)
