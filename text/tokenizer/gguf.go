package tokenizer

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode"

	"github.com/go-acap/acap/tensor/gguf"
)

// The kinds of tokens in a GGUF file.
const (
	kindUnknown = 2
	kindControl = 3
	kindUser    = 4
	kindByte    = 6
)

// FromGGUF reads the vocabulary of a GGUF file: SentencePiece ("llama", "t5"), BPE of bytes or of characters ("gpt2",
// "gemma4", "whitespace") or WordPiece ("bert"). A file without tokens is an error, and so is another kind.
func FromGGUF(f *gguf.File) (*Tokenizer, error) {
	g := &ggufVocabulary{file: f, texts: f.Texts("tokenizer.ggml.tokens"), kinds: f.Numbers("tokenizer.ggml.token_type")}
	if len(g.texts) == 0 {
		return nil, errors.New("the file has no tokens (tokenizer.ggml.tokens)")
	}
	if g.kinds == nil {
		g.kinds = make([]float64, len(g.texts))
	}
	if len(g.kinds) != len(g.texts) {
		return nil, fmt.Errorf("tokenizer.ggml.token_type has %d entries for %d tokens (tokenizer.ggml.tokens); want one for each", len(g.kinds), len(g.texts))
	}
	if err := g.checkNumbers(); err != nil {
		return nil, err
	}
	t := &Tokenizer{vocabulary: newVocabulary(g.texts), broken: brokenByte, begin: -1}
	kind, _ := f.Metadata["tokenizer.ggml.model"].(string)
	t.writes = writesMarks
	var err error
	switch kind {
	case "llama":
		err = g.sentencePiece(t)
	case "gpt2", "whitespace":
		pre, _ := f.Metadata["tokenizer.ggml.pre"].(string)
		err = g.pairs(t, pre)
	case "gemma4":
		err = g.pairs(t, "gemma4")
	case "bert":
		err = g.wordPiece(t)
	case "t5":
		err = g.unigram(t)
	case "":
		err = errors.New("the file has no tokenizer.ggml.model: a GGUF file of a language model has its vocabulary, and this one has weights alone")
	default:
		err = fmt.Errorf("the kind of tokenizer %q is not known; there are llama, gpt2, gemma4, whitespace, bert and t5", kind)
	}
	if err != nil {
		return nil, err
	}
	if kind != "bert" {
		g.normalize(t)
	}
	g.added(t)
	g.markers(t, kind)
	return t, nil
}

// normalize puts the normalizers that the file asks for in front of the normalizers of its kind.
func (g *ggufVocabulary) normalize(t *Tokenizer) {
	var list normalizers
	if g.flag("normalizer.nfc", false) {
		list = append(list, formed(true, false))
	}
	if g.flag("normalizer.strip_accents", false) {
		list = append(list, accentsStripped)
	}
	if g.flag("normalizer.lowercase", false) {
		list = append(list, lowercased)
	}
	if t.normalizer != nil {
		list = append(list, t.normalizer)
	}
	if len(list) > 0 {
		t.normalizer = list
	}
}

type ggufVocabulary struct {
	file  *gguf.File
	texts []string
	kinds []float64
}

// checkNumbers refuses numbers of tokens that are none. The numbers -1 and 4294967295 say that there is no such token.
func (g *ggufVocabulary) checkNumbers() error {
	for _, name := range []string{"bos", "eos", "unknown", "cls", "seperator", "eot", "eom", "fim_pre", "fim_suf", "fim_mid", "fim_rep", "fim_sep", "fim_pad"} {
		name += "_token_id"
		v, given := g.file.Metadata["tokenizer.ggml."+name]
		if given && g.token(name) < 0 && v != int64(-1) && v != uint64(math.MaxUint32) {
			return fmt.Errorf("tokenizer.ggml.%s is %v, and the file has %d tokens, from 0 on", name, v, len(g.texts))
		}
	}
	return nil
}

// token is the token whose number an entry has, -1 if there is none.
func (g *ggufVocabulary) token(name string) int {
	switch v := g.file.Metadata["tokenizer.ggml."+name].(type) {
	case uint64:
		if v < uint64(len(g.texts)) {
			return int(v)
		}
	case int64:
		if v >= 0 && v < int64(len(g.texts)) {
			return int(v)
		}
	}
	return -1
}

// flag is a truth of the file, or what holds without it.
func (g *ggufVocabulary) flag(name string, otherwise bool) bool {
	if v, ok := g.file.Metadata["tokenizer.ggml."+name].(bool); ok {
		return v
	}
	return otherwise
}

// scores has a score for each token.
func (g *ggufVocabulary) scores() ([]float64, error) {
	list := g.file.Numbers("tokenizer.ggml.scores")
	if len(list) != len(g.texts) {
		return nil, fmt.Errorf("tokenizer.ggml.scores has %d entries for %d tokens (tokenizer.ggml.tokens); want one for each", len(list), len(g.texts))
	}
	return list, nil
}

const metaMark = "▁"

// sentencePiece is the tokenizer of files that say "llama".
func (g *ggufVocabulary) sentencePiece(t *Tokenizer) error {
	list, err := g.scores()
	if err != nil {
		return err
	}
	scores := make([]float32, len(list))
	for i, v := range list {
		scores[i] = float32(v)
	}
	unknown := int32(g.token("unknown_token_id"))
	if unknown < 0 {
		unknown = 0
	}
	t.model, t.broken = newScored(t.vocabulary, scores, unknown), nil // tokens stand for bytes
	prefix := g.flag("add_space_prefix", true)
	t.split = ggufSpaces{prefix: prefix}
	t.decoder = []decoder{byteFallbackJoined, replaceRune(metaMark, " "), fuse}
	if prefix {
		t.decoder = append(t.decoder, strip(" ", 1, 0))
	}
	t.joined = joinedMarks(prefix)
	return nil
}

// ggufSpaces writes marks for spaces, and one in front of each text between tokens, or of each that is not spaces
// alone.
type ggufSpaces struct{ prefix, words bool }

func (s ggufSpaces) split(p piece, emit func(piece)) {
	prefix := s.prefix && p.text != "" && !(s.words && strings.Trim(p.text, " ") == "")
	if p.traced = p.marked(metaMark); prefix {
		p = p.behind(metaMark)
	}
	emit(p)
}

// pairs is the tokenizer of files that say "gpt2", "whitespace" or "gemma4": BPE of bytes or of characters, as the name
// of the way of dividing texts into words says.
func (g *ggufVocabulary) pairs(t *Tokenizer, name string) error {
	b := newBPE(t.vocabulary)
	for i, m := range g.file.Texts("tokenizer.ggml.merges") {
		if at := strings.IndexByte(m[min(1, len(m)):], ' '); at < 0 {
			return fmt.Errorf("tokenizer.ggml.merges: merge %d is %q; want two tokens with a space between them", i, m)
		} else if !b.addMerge(m[:at+1], m[at+2:]) {
			// A merge of what are no tokens never happens.
			continue
		}
	}
	kind, ok := preTokenizers[name]
	if !ok {
		return fmt.Errorf("the way of dividing texts into words %q (tokenizer.ggml.pre) is not known; the model's folder of Hugging Face says it in "+
			"tokenizer.json, and is read as well", name)
	}
	b.whole = kind.whole
	t.model = b
	var list splitters
	for _, text := range kind.patterns {
		p, err := compilePattern(text)
		if err != nil {
			return err
		}
		list = append(list, &patternSplit{pattern: p, how: isolated})
	}
	if kind.written == asBytes {
		t.writes, t.joined = writesBytes, &joined{read: levelText}
		list, t.decoder = append(list, &byteLevel{}), []decoder{byteLevelDecoder}
	} else {
		bytes, _ := t.vocabulary.bytesOf()
		b.bytes, b.unknown, b.fuse = &bytes, int32(g.token("unknown_token_id")), true
		t.decoder = []decoder{byteFallbackJoined}
	}
	switch kind.written {
	case asMarks:
		list = append(splitters{ggufSpaces{}}, list...)
		t.decoder, t.joined = append(t.decoder, replaceRune(metaMark, " ")), joinedMarks(false)
	case asWords:
		list = append(list, wordsOfLines{&metaspace{metaMark, "always", true}})
		t.decoder = append(t.decoder, replaceRune(metaMark, " "), fuse, strip(" ", 1, 0))
		t.joined = joinedMarks(true)
	case asCharacters:
		list = append(splitters{&runeSplit{set: setSpace(), how: removed}}, list...)
	}
	t.split = list
	return nil
}

// wordsOfLines marks the words of lines, and leaves the ends of lines as they are.
type wordsOfLines struct{ words *metaspace }

func (s wordsOfLines) split(p piece, emit func(piece)) {
	if strings.HasPrefix(p.text, "\n") {
		emit(p)
		return
	}
	s.words.split(p, emit)
}

// wordPiece is the tokenizer of files that say "bert", whose tokens have a mark where words begin and none where they
// go on. As in llama.cpp, marks that take room are accents as well, and a character that is composed becomes the first
// one of its parts, which BERT does with neither.
func (g *ggufVocabulary) wordPiece(t *Tokenizer) error {
	w := newWordPiece(newVocabulary(g.texts), int32(g.token("unknown_token_id")), metaMark, "", math.MaxInt)
	if w.unknown < 0 {
		w.unknown = 100
	}
	t.model = w
	lower := g.flag("normalizer.lowercase", true)
	t.normalizer = &bertNormalizer{clean: true, chinese: true, bases: true, accents: g.flag("normalizer.strip_accents", lower), lower: lower}
	t.split = &runeSplit{set: setSpace(), how: removed}
	marks := tableSet(unicode.P).union(newSet(span{'$', '$'}, span{'+', '+'}, span{'<', '>'}, span{'^', '^'}, span{'`', '`'}, span{'|', '|'}, span{'~', '~'}))
	t.split = splitters{t.split, &runeSplit{set: marks.compile(), how: isolated}}
	t.decoder = []decoder{each(func(s string, first bool) string {
		if rest, ok := strings.CutPrefix(s, metaMark); ok {
			if first {
				return rest
			}
			return " " + rest
		}
		return s
	}), fuse, each(func(s string, _ bool) string { return tidied(s) })}
	t.joined = &joined{
		read: func(token string) string {
			if rest, ok := strings.CutPrefix(token, metaMark); ok {
				return " " + rest
			}
			return token
		},
		finish: func(text, first string) string {
			if strings.HasPrefix(first, metaMark) {
				text = text[1:]
			}
			return tidied(text)
		},
	}
	return nil
}

// unigram is the tokenizer of files that say "t5".
func (g *ggufVocabulary) unigram(t *Tokenizer) error {
	scores, err := g.scores()
	if err != nil {
		return err
	}
	u := newUnigram(newVocabulary(g.normalTexts()), scores, int32(g.token("unknown_token_id")))
	if u.unknown < 0 {
		u.unknown = 2
	}
	u.setLeast(func(id int) bool { return g.kinds[id] == 1 })
	t.model = u
	var list normalizers
	if map_ := g.file.Numbers("tokenizer.ggml.precompiled_charsmap"); len(map_) > 0 {
		data := make([]byte, len(map_))
		for i, v := range map_ {
			data[i] = byte(int(v))
		}
		p, err := newPrecompiled(data)
		if err != nil {
			return err
		}
		list = append(list, p)
	}
	prefix := g.flag("add_space_prefix", false)
	if g.flag("remove_extra_whitespaces", false) {
		prefix = true
		list = append(list, singleSpaces{})
	}
	t.normalizer = list
	t.split = ggufSpaces{prefix, true}
	t.decoder = []decoder{byteFallbackJoined, replaceRune(metaMark, " "), fuse}
	if prefix {
		t.decoder = append(t.decoder, strip(" ", 1, 0))
	}
	t.joined = joinedMarks(prefix)
	return nil
}

// singleSpaces leaves one space between words, and none around them.
type singleSpaces struct{}

func (singleSpaces) normalize(s string) string {
	return strings.Join(strings.FieldsFunc(s, func(r rune) bool { return r == ' ' }), " ")
}

func (singleSpaces) trace(t traced) traced {
	made, word := traced{from: []Extent{}}, false
	var b strings.Builder
	for i := range len(t.text) {
		if t.text[i] == ' ' {
			word = false
			continue
		}
		if !word && b.Len() > 0 {
			b.WriteByte(' ')
			made.from = append(made.from, t.from[i-1])
		}
		word = true
		b.WriteByte(t.text[i])
		made.from = append(made.from, t.from[i])
	}
	made.text = b.String()
	return made
}

// normalTexts are the tokens that texts are made of; the others are empty.
func (g *ggufVocabulary) normalTexts() []string {
	list := slices.Clone(g.texts)
	for i, k := range g.kinds {
		if k != 1 && k != 0 && k != 5 {
			list[i] = ""
		}
	}
	return list
}

// added makes tokens of control and of the user found in texts.
func (g *ggufVocabulary) added(t *Tokenizer) {
	var list []addedToken
	for i, k := range g.kinds {
		text := g.texts[i]
		if endTexts[text] && k != kindUser { // some files call these normal
			k, g.kinds[i] = kindControl, kindControl
		}
		switch k {
		case kindControl, kindUnknown:
			t.special.add(int32(i))
			list = append(list, addedToken{id: int32(i), content: text, special: true})
		case kindUser:
			list = append(list, addedToken{id: int32(i), content: text})
		}
	}
	t.silent = t.special
	t.added, _ = newAdded(list, nil) // without a normalizer there is no error
}

// markers reads the tokens that are put around a text, and the tokens that end an answer.
func (g *ggufVocabulary) markers(t *Tokenizer, kind string) {
	standard := map[string][2]int{"llama": {1, 2}, "gpt2": {11, 11}, "bert": {101, 102}, "t5": {-1, 1}}
	token := func(name string, which int) int {
		if _, given := g.file.Metadata["tokenizer.ggml."+name]; given {
			return g.token(name)
		}
		if v, ok := standard[kind]; ok && v[which] < len(g.texts) {
			return v[which]
		}
		return -1
	}
	t.begin = token("bos_token_id", 0)
	end := token("eos_token_id", 1)
	if kind == "bert" {
		if v := g.token("cls_token_id"); v >= 0 {
			t.begin = v
		}
		if v := g.token("seperator_token_id"); v >= 0 {
			end = v
		}
	}
	t.post = []processor{g.around(kind, t.begin, end)}
	g.endsOf(t, end)
}

// around returns what puts the tokens begin and end, and the separator, around one text, and around two as llama.cpp
// joins a query and a document. A negative token is none.
func (g *ggufVocabulary) around(kind string, begin, end int) *template {
	mark := func(wanted bool, token int) []part {
		if !wanted || token < 0 {
			return nil
		}
		return []part{{-1, []int32{int32(token)}}}
	}
	begins, always := g.begins(kind)
	front := mark(always || g.flag("add_bos_token", begins), begin)
	behind := mark(g.flag("add_eos_token", kind == "bert" || kind == "t5"), end)
	separator := g.token("seperator_token_id")
	if separator < 0 && kind == "bert" {
		separator = end
	}
	last := mark(g.flag("add_eos_token", kind == "t5"), end)
	between := mark(g.flag("add_sep_token", kind == "bert"), separator)
	return &template{
		slices.Concat(front, []part{{text: 0}}, behind),
		slices.Concat(front, []part{{text: 0}}, last, between, []part{{text: 1}}, last),
	}
}

// begins reports whether texts begin with a token in files that do not say whether they do, and whether they do even
// where the file says that they do not, as some files of Gemma 4.
func (g *ggufVocabulary) begins(kind string) (begins, always bool) {
	switch kind {
	case "llama", "bert":
		return true, false
	case "gpt2":
		kind, _ = g.file.Metadata["tokenizer.ggml.pre"].(string)
	case "gemma4":
	default:
		return false, false
	}
	k := preTokenizers[kind]
	return k.begins, k.begins && k.written == asMarks
}

// endsOf finds the tokens that end an answer: the end of a text, of a turn and of a message, the tokens with which a
// model of code begins another file, and the tokens whose texts are known.
func (g *ggufVocabulary) endsOf(t *Tokenizer, end int) {
	t.findFill(func(key string) int { return g.token(key + "_token_id") })
	list := []int{end, g.token("eot_token_id"), g.token("eom_token_id"), t.fill.Padding, t.fill.Repository, t.fill.File}
	for i, k := range g.kinds {
		if (k == kindControl || k == kindUser) && endTexts[g.texts[i]] {
			list = append(list, i)
		}
	}
	found := map[int]bool{} // a file may have many tokens of one text
	for _, id := range list {
		if id >= 0 && !found[id] {
			found[id] = true
			t.ends = append(t.ends, id)
		}
	}
}

// endTexts are the names of tokens that end an answer or a turn of a chat.
var endTexts = map[string]bool{"<|eot_id|>": true, "<|im_end|>": true, "<|end|>": true, "<|return|>": true, "<|call|>": true, "<end_of_turn>": true, "<turn|>": true,
	"<|endoftext|>": true, "<|eom_id|>": true, "<EOT>": true, "_<EOT>": true, "<｜end▁of▁sentence｜>": true, "<|end_of_text|>": true, "<end_of_utterance>": true,
	"<|eot|>": true, "[EOT]": true, "[EOS]": true, "<|END_OF_TURN_TOKEN|>": true}
