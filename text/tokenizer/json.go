package tokenizer

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/go-acap/acap/base/inputfile"
	"github.com/go-acap/acap/base/jsontext"
)

// Open reads a tokenizer.json file; see [Parse] for errors.
func Open(path string) (*Tokenizer, error) {
	data, err := inputfile.Read(path)
	if err != nil {
		return nil, err
	}
	t, err := Parse(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return t, nil
}

// file is a tokenizer.json.
type file struct {
	Version       *string
	Truncation    *fileTruncation
	Padding       *filePadding
	AddedTokens   []fileAdded `json:"added_tokens"`
	Normalizer    object
	PreTokenizer  object `json:"pre_tokenizer"`
	Model         *fileModel
	PostProcessor object `json:"post_processor"`
	Decoder       object
}

type fileAdded struct {
	ID         int32
	Content    string
	SingleWord bool `json:"single_word"`
	LStrip     bool
	RStrip     bool
	Normalized bool
	Special    bool
}

// object is a part of the file that has a type.
type object json.RawMessage

// UnmarshalJSON keeps the text.
func (o *object) UnmarshalJSON(data []byte) error {
	*o = slices.Clone(data)
	return nil
}

func (o object) none() bool { return len(o) == 0 || string(o) == "null" }

func (o object) kind() (string, error) {
	var t struct{ Type string }
	err := jsontext.Part(o, &t)
	return t.Type, err
}

// into reads the fields. Those that are given as null keep their value.
func (o object) into(to any) error { return jsontext.Part(o, to) }

// Parse reads the text of a tokenizer.json file. Errors name the part at fault.
func Parse(data []byte) (*Tokenizer, error) {
	var f file
	if err := jsontext.Unmarshal(data, &f); err != nil {
		return nil, err
	}
	if f.Version != nil && *f.Version != "1.0" {
		return nil, fmt.Errorf("version: %q is not known; there is 1.0", *f.Version)
	}
	t := &Tokenizer{broken: brokenPart, begin: -1}
	model, count, err := t.readModel(f.Model)
	if err != nil {
		return nil, fmt.Errorf("model: %w", err)
	}
	if err := t.readNormalizers(f.Normalizer); err != nil {
		return nil, fmt.Errorf("normalizer: %w", err)
	}
	split, err := partsOf(f.PreTokenizer, "pretokenizers", 0, readSplitter)
	if err != nil {
		return nil, fmt.Errorf("pre_tokenizer: %w", err)
	}
	if len(split) > 0 {
		t.split = splitters(split)
	}
	if err := t.readProcessors(f.PostProcessor); err != nil {
		return nil, fmt.Errorf("post_processor: %w", err)
	}
	replaced, err := t.readDecoders(f.Decoder)
	if err != nil {
		return nil, fmt.Errorf("decoder: %w", err)
	}
	if err := t.readAdded(f.AddedTokens, model, count); err != nil {
		return nil, fmt.Errorf("added_tokens: %w", err)
	}
	for _, n := range replaced {
		if n.pattern == nil {
			continue
		}
		if err := n.replaceAll(t.vocabulary.texts); err != nil {
			return nil, fmt.Errorf("decoder: %w", err)
		}
	}
	if t.truncate, err = f.Truncation.read(); err != nil {
		return nil, fmt.Errorf("truncation: %w", err)
	}
	if t.pad, err = f.Padding.read(); err != nil {
		return nil, fmt.Errorf("padding: %w", err)
	}
	return t, nil
}

// readNormalizers reads what is done to a text before it is divided.
func (t *Tokenizer) readNormalizers(o object) error {
	list, err := partsOf(o, "normalizers", 0, readNormalizer)
	if err != nil {
		return err
	}
	if len(list) > 0 {
		t.normalizer = normalizers(list)
	}
	return growth(list)
}

// readProcessors reads what is done to the tokens of a text.
func (t *Tokenizer) readProcessors(o object) (err error) {
	if t.trims, err = partsOf(o, "processors", 0, readTrim); err != nil {
		return err
	}
	if t.post, err = partsOf(o, "processors", 0, t.readProcessor); err != nil {
		return err
	}
	return additions(t.post)
}

// readDecoders reads how the texts of tokens become a text. It returns the replacements among the decoders.
func (t *Tokenizer) readDecoders(o object) (replaced []*replace, err error) {
	var kinds []string
	var objects []object
	t.decoder, err = partsOf(o, "decoders", 0, func(kind string, o object) ([]decoder, error) {
		kinds, objects = append(kinds, kind), append(objects, o)
		if n, err := readReplace(o); kind == "Replace" && err == nil {
			replaced = append(replaced, n)
		}
		return readDecoder(kind, o)
	})
	if err != nil {
		return nil, err
	}
	if o.none() {
		t.decoder = []decoder{spaced}
	}
	switch {
	case slices.Contains(kinds, "ByteLevel"):
		t.writes = writesBytes
	case slices.Contains(kinds, "Metaspace"), slices.Contains(kinds, "ByteFallback"):
		t.writes = writesMarks
	}
	t.joined = joinedDecoders(kinds, objects)
	return replaced, growth(replaced)
}

// mostTokens bounds the numbers of tokens.
const mostTokens = 1 << 24

// readAdded adds tokens to the vocabulary and finds them in texts. As in tokenizers, a token that the model has keeps
// the model's number, and new tokens are numbered from the model's count of tokens on: the numbers in the file change
// nothing.
func (t *Tokenizer) readAdded(list []fileAdded, model *vocabulary, count int) error {
	var tokens []addedToken
	place := map[string]int{}
	texts := slices.Clone(model.texts)
	next := int32(count)
	for _, a := range list {
		if a.ID < 0 || a.ID >= mostTokens {
			return fmt.Errorf("token %q has the number %d", a.Content, a.ID)
		}
		if a.Content == "" {
			continue
		}
		at, again := place[a.Content]
		id, known := model.ids[a.Content]
		switch {
		case again:
			id = tokens[at].id
		case !known:
			id = next
			next++
		}
		for int(id) >= len(texts) {
			texts = append(texts, "")
		}
		texts[id] = a.Content
		if a.Special {
			t.special.add(id)
		}
		token := addedToken{id, a.Content, a.SingleWord, a.LStrip, a.RStrip, a.Normalized, a.Special}
		if again {
			tokens[at] = token
			continue
		}
		place[a.Content] = len(tokens)
		tokens = append(tokens, token)
	}
	t.vocabulary = newVocabulary(texts)
	for i, text := range texts {
		if id, known := model.ids[text]; text == "" && (!known || id != int32(i)) {
			t.holes.add(int32(i))
		}
	}
	var err error
	if t.added, err = newAdded(tokens, t.normalizer); err != nil {
		return err
	}
	special := map[string]bool{}
	for id, text := range texts {
		if t.special.has(int32(id)) {
			special[text] = true
		}
	}
	for i, text := range texts {
		if special[t.added.write(int32(i), text)] {
			t.silent.add(int32(i))
		}
		if special[text] { // a text that is special is so under all of its numbers
			t.special.add(int32(i))
		}
		if endTexts[text] && t.isAdded(int32(i)) {
			t.ends = append(t.ends, i)
		}
	}
	t.findFill(func(string) int { return -1 })
	return nil
}

func (t *Tokenizer) isAdded(id int32) bool {
	known, ok := t.added.byText[t.vocabulary.texts[id]]
	return ok && known == id
}

// fileModel has the fields of all types of models.
type fileModel struct {
	Type         string
	Vocab        json.RawMessage
	Merges       json.RawMessage
	UnkToken     *string `json:"unk_token"`
	UnkID        *int32  `json:"unk_id"`
	Prefix       *string `json:"continuing_subword_prefix"`
	Suffix       *string `json:"end_of_word_suffix"`
	FuseUnk      bool    `json:"fuse_unk"`
	ByteFallback bool    `json:"byte_fallback"`
	IgnoreMerges bool    `json:"ignore_merges"`
	MaxChars     *int    `json:"max_input_chars_per_word"`
}

// kind is the type of a model. Files of old versions do not name the type.
func (m *fileModel) kind() string {
	switch {
	case m.Type != "":
		return m.Type
	case len(m.Merges) > 0:
		return "BPE"
	case m.UnkID != nil || len(m.Vocab) > 0 && m.Vocab[0] == '[':
		return "Unigram"
	case m.MaxChars != nil:
		return "WordPiece"
	}
	return "WordLevel"
}

// readModel reads the model, and returns its tokens and how many there are.
func (t *Tokenizer) readModel(m *fileModel) (v *vocabulary, count int, err error) {
	if m == nil {
		return nil, 0, errors.New("there is none")
	}
	kind := m.kind()
	if kind == "Unigram" {
		if v, err = t.readUnigram(m.Vocab, m.UnkID, m.ByteFallback); err != nil {
			return nil, 0, err
		}
		return v, len(v.texts), nil
	}
	if v, err = readVocabulary(m.Vocab); err != nil {
		return nil, 0, err
	}
	unknown := int32(absent)
	if id, ok := v.ids[text(m.UnkToken)]; ok && m.UnkToken != nil {
		unknown = id
	} else if kind == "BPE" && m.UnkToken == nil {
		unknown = -1
	}
	switch kind {
	case "BPE":
		b := newBPE(v)
		b.unknown, b.prefix, b.suffix, b.fuse, b.whole = unknown, text(m.Prefix), text(m.Suffix), m.FuseUnk, m.IgnoreMerges
		if m.ByteFallback {
			list, _ := v.bytesOf()
			b.bytes = &list
		}
		t.model = b
		return v, len(v.ids), b.readMerges(m.Merges)
	case "WordPiece":
		prefix, most := "##", 100
		if m.Prefix != nil {
			prefix = *m.Prefix
		}
		if m.MaxChars != nil {
			most = *m.MaxChars
		}
		t.model = newWordPiece(v, unknown, "", prefix, most)
	case "WordLevel":
		t.model = &wordLevel{v, unknown}
	default:
		return nil, 0, fmt.Errorf("the type %q is not known; there are BPE, Unigram, WordPiece and WordLevel", kind)
	}
	return v, len(v.ids), nil
}

// readVocabulary reads the numbers of tokens by their texts.
func readVocabulary(text json.RawMessage) (*vocabulary, error) {
	ids, ok := numbered(text)
	if !ok {
		clear(ids)
		if err := jsontext.Part(text, &ids); err != nil {
			return nil, fmt.Errorf("vocab: %w", err)
		}
	}
	most := int32(-1)
	for _, id := range ids {
		if id < 0 || id >= mostTokens {
			return nil, wrongNumbers(ids)
		}
		most = max(most, id)
	}
	texts, taken := make([]string, most+1), make([]bool, most+1)
	for text, id := range ids {
		if taken[id] {
			return nil, wrongNumbers(ids)
		}
		texts[id], taken[id] = text, true
	}
	return &vocabulary{texts, ids}, nil
}

// wrongNumbers says which token, the first by its text, has a number out of range or of a token before.
func wrongNumbers(ids map[string]int32) error {
	seen := map[int32]string{}
	for _, text := range slices.Sorted(maps.Keys(ids)) {
		id := ids[text]
		if id < 0 || id >= mostTokens {
			return fmt.Errorf("token %q has the number %d", text, id)
		}
		if before, ok := seen[id]; ok {
			return fmt.Errorf("the tokens %q and %q have the number %d", before, text, id)
		}
		seen[id] = text
	}
	return nil
}

func text(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

// readMerges reads the pairs of tokens that are joined, as two texts or as one text with a space between them.
func (b *bpe) readMerges(merges json.RawMessage) error {
	pairs, err := pairsOf(merges)
	if err != nil {
		return fmt.Errorf("merges: %w", err)
	}
	b.merges = make(map[uint64]merged, len(pairs))
	for i, p := range pairs {
		if len(p) != 2 {
			return fmt.Errorf("merge %d has %d parts", i, len(p))
		}
		if !b.addMerge(p[0], p[1]) {
			return fmt.Errorf("merge %d, of %q and %q, is not of tokens to a token", i, p[0], p[1])
		}
	}
	return nil
}

// pairsOf reads lists of texts, or lines: the parts of a line lie between spaces, and a line that begins with #version
// stands for nothing.
func pairsOf(text json.RawMessage) (pairs [][]string, err error) {
	if pairs, ok := scannedPairs(text); ok {
		return pairs, nil
	}
	if json.Unmarshal(text, &pairs) == nil {
		return pairs, nil
	}
	var lines []string
	if err := jsontext.Part(text, &lines); err != nil {
		return nil, err
	}
	pairs = nil
	for _, l := range lines {
		pairs = appendLine(pairs, l)
	}
	return pairs, nil
}

func appendLine(pairs [][]string, line string) [][]string {
	if strings.HasPrefix(line, "#version") {
		return pairs
	}
	return append(pairs, strings.Split(line, " "))
}

// mostNesting bounds sequences in sequences.
const mostNesting = 64

// partsOf reads what an object holds: nothing, one part, or a "Sequence" of such objects in a field, whose parts come
// one after another. read reads the object of one part by its type, nil for a part that does nothing.
func partsOf[T any](o object, field string, depth int, read func(kind string, o object) ([]T, error)) ([]T, error) {
	if o.none() {
		return nil, nil
	}
	kind, err := o.kind()
	if err != nil {
		return nil, err
	}
	if kind != "Sequence" {
		return read(kind, o)
	}
	if depth >= mostNesting {
		return nil, errors.New("sequences are nested too deeply")
	}
	fields := map[string]json.RawMessage{}
	if err := o.into(&fields); err != nil {
		return nil, err
	}
	var list []object
	if err := jsontext.Unmarshal(fields[field], &list); err != nil {
		return nil, err
	}
	var all []T
	for _, member := range list {
		part, err := partsOf(member, field, depth+1, read)
		if err != nil {
			return nil, err
		}
		all = append(all, part...)
	}
	return all, nil
}

// patternOf is what a part looks for: a text or an expression.
type patternOf struct {
	String *string
	Regex  *string
}

// compile makes a pattern; a text stands for itself.
func (p *patternOf) compile() (*pattern, error) {
	switch {
	case p.Regex != nil:
		return compilePattern(*p.Regex)
	case p.String != nil:
		var b strings.Builder
		for _, r := range *p.String {
			if r < utf8.RuneSelf && !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsSpace(r) {
				b.WriteByte('\\')
			}
			b.WriteRune(r)
		}
		return compilePattern(b.String())
	}
	return nil, errors.New("there is no pattern")
}
