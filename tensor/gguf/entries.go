package gguf

import (
	"fmt"
	"strings"
)

// wanted are the types of entries that each file has in one way. An entry of another type would be passed over where it
// is looked up.
var wanted = map[string]string{
	alignmentKey: "a number", "general.architecture": "a text", templateKey: "a text",
	"split.count": "a number", "split.no": "a number", "split.tensors.count": "a number",
	vocabulary + "model": "a text", vocabulary + "pre": "a text", vocabulary + "tokens": "a list of texts", vocabulary + "merges": "a list of texts",
	vocabulary + "scores": "a list of numbers", vocabulary + "token_type": "a list of numbers", vocabulary + "precompiled_charsmap": "a list of numbers",
	vocabulary + "add_bos_token": "a truth", vocabulary + "add_eos_token": "a truth", vocabulary + "add_space_prefix": "a truth",
	vocabulary + "remove_extra_whitespaces": "a truth",
}

const vocabulary = "tokenizer.ggml."

// checkEntry refuses an entry of the metadata that has another type than it is looked up by.
func checkEntry(key string, kind uint32, l list) error {
	want := wanted[key]
	if strings.HasPrefix(key, vocabulary) && strings.HasSuffix(key, "_token_id") {
		want = "a number"
	}
	if have := typeName(kind, l); want != "" && have != want {
		return fmt.Errorf("%s is %s, want %s", key, have, want)
	}
	return nil
}

// typeName names a type of metadata.
func typeName(kind uint32, l list) string {
	switch kind {
	case typeString:
		return "a text"
	case typeBool:
		return "a truth"
	case typeArray:
		switch l.kind {
		case typeString:
			return "a list of texts"
		case typeArray:
			return "a list of lists"
		}
		return "a list of numbers"
	}
	return "a number"
}
