# Writes schemas.json.gz: random schemas, values that the package jsonschema finds to be of them, and values that it does not.
import copy, gzip, json, random

from jsonschema import Draft202012Validator

R = random.Random(5)
NAMES = ["a", "name", "na", "x y", "a<b", 'q"t', "é", "\n", "/"]
PATTERNS = {"^[a-z]{2,4}$": ["ab", "wxyz"], r"^\d{3}-\d{4}$": ["555-1234"], "ab+": ["ab", "xabbby"], "^(foo|bar)": ["foo", "barx"],
            "[xyz]$": ["x", '"z'], "^a.c$": ['a"c', "aéc"], '^[^"]*$': ["", "a\\b\n"], "x|^y$|z": ["y", "axb"], "^$": [""],
            "^[\\t\\n\"]$": ["\t", '"'], "^.{0,3}$": ["", 'ab"'], r"^[^\\]?$": ["", "/"], "^-?(0|[1-9][0-9]*)$": ["-10", "0"]}
BOUNDS = [0, 1, -1, 5, 10, 99, 100, -17, 123, 0.5, -0.5, 0.25, -2.75, 0.001, 12345.678]
VALUES = ["a", "<é&>", 'q"', "\\", "\u2028", 1, 2.5, -3, None, True, [1, 2], {"k": ["v"]}, ""]


def schema(depth, defs):
    kind = R.choice(["integer", "number", "string", "null", "enum", "const", "types"] + ["object", "object", "map", "array", "tuple", "anyOf", "oneOf", "allOf", "ref"] * (depth > 0))
    inside = lambda: schema(depth - 1, defs)
    f = {}
    if kind in ("integer", "number"):
        low, high = sorted(R.sample(BOUNDS, 2))
        f = {"type": kind} | R.choice([{}, {R.choice(["minimum", "exclusiveMinimum"]): low}]) | R.choice([{}, {R.choice(["maximum", "exclusiveMaximum"]): high + 2}])
    elif kind == "string":
        f = {"type": "string"} | R.choice([{}, {"minLength": 2}, {"maxLength": 2}, {"minLength": 1, "maxLength": 3}] + [{"pattern": R.choice(list(PATTERNS))}] * 4)
    elif kind == "null":
        f = {"type": R.choice(["null", "boolean"])}
    elif kind == "enum":
        f = {"enum": R.sample(VALUES, 4)} | R.choice([{}, {"type": ["string", "number", "null"]}])
    elif kind == "const":
        f = {"const": R.choice(VALUES)}
    elif kind == "types":
        f = {"type": R.sample(["string", "number", "null", "boolean"], 2)}
    elif kind == "object":
        names = R.sample(NAMES, R.randrange(1, 5))
        f = {"type": "object", "properties": {n: inside() for n in names}, "required": [n for n in names if R.random() < .5]}
        f["additionalProperties"] = R.choice([False, True, inside()])
    elif kind == "map":
        f = {"type": "object", "additionalProperties": inside()}
    elif kind == "array":
        f = {"type": "array", "items": inside(), "minItems": R.randrange(3)} | R.choice([{}, {"maxItems": 3}])
    elif kind == "tuple":
        n = R.randrange(1, 4)
        f = {"type": "array", "prefixItems": [inside() for _ in range(n)], "items": R.choice([False, inside()]), "minItems": R.randrange(n + 1)} | R.choice([{}, {"maxItems": n + 1}])
    elif kind == "anyOf":
        f = {"anyOf": [inside(), inside()]}
    elif kind == "oneOf":
        f = {"oneOf": [{"type": "object", "properties": {"kind": {"const": c}, "v": inside()}, "required": ["kind"], "additionalProperties": False} for c in "pq"] + [{"type": "null"}]}
    elif kind == "allOf":
        names = R.sample(NAMES, 3)
        f = {"allOf": [{"type": "object", "properties": {names[0]: inside()}, "required": [names[0]]}, {"properties": {n: inside() for n in names[1:]}}], "unevaluatedProperties": False}
    elif kind == "ref":
        name = R.choice(["one", "x y", "a~b"])
        f = {"$ref": "#/$defs/" + name.replace(" ", "%20").replace("~", "~0")}
        if name not in defs:
            defs[name] = None
            defs[name] = {"type": "object", "properties": {"next": dict(f), "v": inside()}, "additionalProperties": False}
    return f


def value(f, defs, depth=0):
    some = lambda g: value(g, defs, depth + 1)
    if depth > 10:
        return 0
    if f is True:
        return R.choice(VALUES)
    if "$ref" in f:
        return some(defs[f["$ref"][8:].replace("%20", " ").replace("~0", "~")])
    if "const" in f:
        return f["const"]
    if "enum" in f:
        return R.choice(f["enum"])
    for word in ("anyOf", "oneOf"):
        if word in f:
            return some(R.choice(f[word]))
    if "allOf" in f:
        return {n: some(g) for part in f["allOf"] for n, g in part["properties"].items() if n in part.get("required", []) or R.random() < .7}
    kind = f["type"] if isinstance(f["type"], str) else R.choice(f["type"])
    if kind == "object":
        out = {n: some(g) for n, g in f.get("properties", {}).items() if n in f.get("required", []) or R.random() < .6}
        if f["additionalProperties"] is not False:
            for n in R.sample(["nam", "named", "z", "é2", "\\", "\n\n", "A", ""], R.randrange(3)):
                out[n] = some(f["additionalProperties"])
        return out
    if kind == "array":
        prefix = f.get("prefixItems", [])
        most = f.get("maxItems", 4) if f["items"] is not False else len(prefix)
        n = R.randint(f["minItems"], max(most, f["minItems"]))
        return [some(prefix[i] if i < len(prefix) else f["items"]) for i in range(n)]
    if kind == "string":
        if "pattern" in f:
            return R.choice(PATTERNS[f["pattern"]])
        return "".join(R.choice('abé語🙂"\\/\n {,') for _ in range(R.randint(f.get("minLength", 0), f.get("maxLength", 4))))
    if kind in ("integer", "number"):
        bounds = [f[w] + d for w in ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum") if w in f for d in (0, 1, -1, .25)]
        x = R.choice(bounds + [0, -1, R.randrange(-500, 500), round(R.uniform(-20, 20), 3)])
        return int(x) if kind == "integer" else x
    return R.random() < .5 if kind == "boolean" else None


def changed(x):
    x = copy.deepcopy(x)
    if isinstance(x, dict) and x and R.random() < .8:
        k = R.choice(list(x))
        how = R.randrange(3)
        if how == 0:
            del x[k]
        elif how == 1:
            x[k] = changed(x[k])
        else:
            x[R.choice(NAMES + ["z"])] = R.choice(VALUES)
    elif isinstance(x, list) and x and R.random() < .8:
        i = R.randrange(len(x))
        x = R.choice([x[:i], x + [x[i]], x[:i] + [changed(x[i])] + x[i + 1:]])
    elif isinstance(x, (int, float)) and not isinstance(x, bool) and R.random() < .8:
        x = round(x + R.choice([1, -1, .5, -.001, 10, 100]), 4)
    elif isinstance(x, str) and R.random() < .8:
        x = R.choice([x + "x", x[1:], x + '"', x.upper(), "-" + x, x + "\n"])
    else:
        x = R.choice(VALUES + [[], {}])
    return x


def text(x):
    return json.dumps(x, ensure_ascii=False, **R.choice([{}, {"separators": (",", ":")}, {"indent": 2}]))


cases = []
while len(cases) < 200:
    defs = {}
    f = schema(3, defs)
    if defs:
        f["$defs"] = defs
    if len(json.dumps(f)) > 700:
        continue
    valid = Draft202012Validator(f).is_valid
    values = [value(f, defs) for _ in range(10)]
    yes = {text(x) for x in values if valid(x)}
    no = {text(x) for x in map(changed, values * 2) if not valid(x)}
    if len(yes) > 1 and no:
        cases.append({"schema": f, "yes": sorted(yes)[:6], "no": sorted(no)[:8]})
with gzip.GzipFile("schemas.json.gz", "wb", mtime=0) as out:
    out.write(json.dumps(cases).encode())
