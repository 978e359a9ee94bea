"""Writes schemas.txt: what the operators of ONNX take in each of their versions.

    git clone https://github.com/onnx/onnx
    python3 translate/importer/onnx/record/schemas.py onnx/docs/Changelog.md onnx/docs/Changelog-ml.md > translate/importer/onnx/schemas.txt

The operators of com.microsoft are those of the installed ONNX Runtime, which was 1.23, and what later releases added to them.

A line has the operator, the version from which it is so, the most inputs and the most outputs (* for any number), and the attributes. A line without an operator belongs to the one before it. Experimental operators have no version and are left out.
"""

import re
import sys

from onnxruntime.capi.onnxruntime_pybind11_state import get_all_operator_schema


def count(section, title):
    """The most values of a section."""
    head = re.search(rf"^#### {title}(?: \(\d+ - (\d+|&#8734;)\))?$", section, re.M)
    if head is None:
        return "0"
    if head[1]:
        return head[1].replace("&#8734;", "*")
    return str(len(names(section, title)))


def names(section, title):
    part = re.search(rf"^#### {title}.*?$(.*?)(?=^#### |\Z)", section, re.M | re.S)
    return re.findall(r"^<dt><tt>(.*?)</tt>", part[1], re.M) if part else []


# What the document leaves out: onnx.defs of onnx 1.20 has them.
LEFT_OUT = {
    ("ai.onnx", "GroupNormalization"): {18: "3 1 epsilon num_groups"},
    ("ai.onnx", "Upsample"): {1: "1 1 height_scale mode width_scale"},
}


# What releases of ONNX Runtime behind 1.23 added, by docs/ContribOperators.md: the most inputs, and attributes.
LATER = {
    "GroupQueryAttention": (16, ["causal", "k_quant_type", "kv_cache_bit_width", "qk_norm_epsilon", "sliding_window_cache", "v_quant_type"]),
    "MatMulNBits": (6, ["weight_prepacked"]),
    "QMoE": (21, ["accuracy_level", "quant_type", "weights_prepacked"]),
}

# Operators that these releases added: the most inputs and outputs, and attributes.
ADDED = {
    "CausalConvWithState": "4 2 activation channels_last dilation ndim state_window",
    "GatedAdd": "3 1",
    "GatedRMSNorm": "3 1 epsilon",
    "LinearAttention": "6 2 chunk_size kv_num_heads q_num_heads scale state_window update_rule",
    "LinearAttentionGate": "4 2",
    "MRotaryEmbedding": "4 1 interleaved is_packed_batching mrope_layout mrope_section num_heads rotary_embedding_dim scale",
}


def microsoft():
    """The operators of com.microsoft, each with its line."""
    yield from ADDED.items()
    def most(n):
        return "*" if n > 1000 else str(n)
    for s in get_all_operator_schema():
        if s.domain == "com.microsoft":
            inputs, attributes = LATER.get(s.name, (0, []))
            yield s.name, " ".join([most(max(s.max_input, inputs)), most(s.max_output)] + sorted(list(s.attributes) + attributes))


def main():
    table = LEFT_OUT | {("com.microsoft", name): {1: line} for name, line in microsoft()}
    for path in sys.argv[1:]:
        with open(path, encoding="utf-8") as f:
            text = f.read()
        for section in re.split(r"^### ", text, flags=re.M)[1:]:
            head = re.match(r'<a name="(?:(.*)\.)?(\w+)-(\d+)">', section)
            if head is None or "No versioning maintained" in section or "#### Outputs" not in section:
                continue  # experimental or deprecated
            domain, name, version = head[1] or "ai.onnx", head[2], int(head[3])
            table.setdefault((domain, name), {})[version] = " ".join(
                [count(section, "Inputs"), count(section, "Outputs")] + sorted(names(section, "Attributes")))
    for (domain, name), versions in sorted(table.items()):
        before, start = None, f"{domain} {name}"
        for version, line in sorted(versions.items()):
            if line != before:
                print(start, version, line)
                before, start = line, ""


main()
