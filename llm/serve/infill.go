package serve

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"

	"github.com/go-acap/acap/text/tokenizer"
)

// infillRequest is the body of a request for what stands between two texts.
type infillRequest struct {
	nativeRequest
	Before *string `json:"input_prefix"`
	Behind *string `json:"input_suffix"`
	Extra  []struct {
		Name string `json:"filename"`
		Text string `json:"text"`
	} `json:"input_extra"`
	SuffixFirst bool `json:"spm_infill"`
}

// infill answers /infill.
func (s *Server) infill(w http.ResponseWriter, r *http.Request) error {
	var q infillRequest
	if err := decode(r, &q); err != nil {
		return err
	}
	if q.Before == nil {
		return bad("input_prefix", "input_prefix is wanted, the text in front of the answer")
	}
	if q.Behind == nil {
		return bad("input_suffix", "input_suffix is wanted, the text behind the answer")
	}
	fill := s.model.Tokenizer().Fill()
	var missing []string
	for i, token := range []int{fill.Prefix, fill.Suffix, fill.Middle} {
		if token < 0 {
			missing = append(missing, []string{"a prefix", "a suffix", "a middle"}[i])
		}
	}
	if missing != nil {
		return &requestError{http.StatusNotImplemented, "not_supported", "", "the model does not fill in: its vocabulary has no token for " + strings.Join(missing, ", ")}
	}
	prompt, err := s.infillPrompt(&q, fill)
	if err != nil {
		return err
	}
	return s.answerNative(w, r, &q.nativeRequest, [][]int{prompt})
}

// infillPrompt makes the prompt of a request, as llama-server does: other files and their names, what stands before the answer and behind it. The last
// files of all come for which there is room.
func (s *Server) infillPrompt(q *infillRequest, fill tokenizer.Fill) ([]int, error) {
	var failed error
	tokens := func(text, param string, literal bool) []int {
		ids, err := s.model.Tokenizer().Encode(text, tokenizer.EncodeOptions{Literal: literal, Whole: true})
		if err == nil {
			err = s.known(ids, param)
		}
		if err != nil && failed == nil {
			failed = bad(param, "%s: %v", param, err)
		}
		return ids
	}
	var begun string
	if len(q.Prompt) > 0 && json.Unmarshal(q.Prompt, &begun) != nil {
		return nil, bad("prompt", "prompt is no text; the answer to /infill begins with one")
	}
	before := slices.Concat([]int{fill.Prefix}, tokens(*q.Before, "input_prefix", true), tokens(begun, "prompt", false))
	behind := append([]int{fill.Suffix}, tokens(*q.Behind, "input_suffix", true)...)
	if q.SuffixFirst {
		before, behind = behind, before
	}
	if begin, err := s.plain(""); err == nil && len(begin) > 0 && begin[0] == s.model.Tokenizer().Begin() {
		before = append(begin[:1], before...)
	}
	own := slices.Concat(before, behind, []int{fill.Middle})

	var files [][]int
	named := func(name string) []int { return append([]int{fill.File}, tokens(name+"\n", "input_extra", true)...) }
	for _, e := range q.Extra {
		var head []int
		switch {
		case fill.File < 0:
			head = tokens("\n\n--- snippet ---\n\n", "input_extra", true)
		case e.Name == "":
			head = named("tmp")
		default:
			head = named(e.Name)
		}
		files = append(files, append(head, tokens(e.Text, "input_extra", true)...))
	}
	var front []int
	if fill.Repository >= 0 && fill.File >= 0 {
		front = append([]int{fill.Repository}, tokens("myproject\n", "input_extra", true)...)
	}
	if fill.File >= 0 {
		files = append(files, named("filename"))
	}
	answer := 1
	if n := q.Predict; n != nil {
		answer = max(*n, 1)
	}
	room := s.model.Limit() - len(own) - len(front) - answer
	first := len(files)
	for first > 0 && len(files[first-1]) <= room {
		first--
		room -= len(files[first])
	}
	return slices.Concat(append([][]int{front}, append(files[first:], own)...)...), failed
}
