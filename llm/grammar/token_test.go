package grammar_test

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/llm/grammar"
	"github.com/go-acap/acap/llm/llmtest"
	"github.com/go-acap/acap/text/tokenizer"
)

// vocabulary has <unk>, <s>, </s>, tokens for all bytes from number 3 on, and letters from 259 on.
func vocabulary(t *testing.T) *tokenizer.Tokenizer {
	dir := llmtest.Folder(t, llmtest.Small)
	v, err := tokenizer.Open(filepath.Join(dir, "tokenizer.json"))
	require.NoError(t, err)
	return v
}

// TestTokens: tokens are accepted by their numbers, and texts by characters, in whatever pieces they come.
func TestTokens(t *testing.T) {
	v := vocabulary(t)
	for _, c := range []struct {
		rules   string
		yes, no [][]int
	}{
		{`root ::= <s>`, [][]int{{1}}, [][]int{{}, {0}, {1, 1}, {63, 118, 65}}},                    // no text stands for a token
		{`root ::= "<s>"`, [][]int{{63, 118, 65}, {63, 277, 65}}, [][]int{{1}}},                    // and no special token for a text
		{`root ::= !<s> "a"`, [][]int{{0, 259}, {259, 259}, {229, 100}}, [][]int{{1, 259}, {259}}}, // whatever the text of the token is
		{`root ::= "a" <[260]>`, [][]int{{259, 260}, {100, 260}}, [][]int{{259, 101}}},             // a letter has two tokens
		{`root ::= "é"? <[172]>`, [][]int{{172}, {198, 172, 172}}, [][]int{{198, 172}}},            // not within a character
		{`root ::= (. | !<s>){2}`, [][]int{{229, 260}, {198, 172, 0}, {198, 172}}, [][]int{{1, 0}, {198, 1}}},
		{"root ::= <[0]> x <[1]>\nx ::= !<[1]>*", [][]int{{0, 1}, {0, 5, 6, 1}}, [][]int{{0, 1, 1}}},
	} {
		g, err := grammar.ParseTokens(c.rules, v)
		require.NoError(t, err, c.rules)
		accepts := func(tokens []int) bool {
			s, ok := g.Start(), true
			for _, i := range tokens {
				text := ""
				if !v.IsSpecial(i) {
					text = v.Text(i)
				}
				if s, ok = s.NextToken(i, text); !ok {
					return false
				}
			}
			return s.Done()
		}
		for _, tokens := range c.yes {
			require.True(t, accepts(tokens), "%s: %v", c.rules, tokens)
		}
		for _, tokens := range c.no {
			require.False(t, accepts(tokens), "%s: %v", c.rules, tokens)
		}
	}
	for rules, want := range map[string]string{
		"root ::= \"a\"\nx ::= <think>": `line 2: "<think>" is no token of the vocabulary, but the 8 tokens`,
		`root ::= <0x41>`:               `"<0x41>" is no token of the vocabulary`, // the token of a byte is that byte
		`root ::= <[320]>`:              `line 1: "<[320]>": there is no such token; the numbers of the vocabulary are 0 to 319`,
		`root ::= <[99999999999999]>`:   "there is no such token",
		`root ::= <[5`:                  "is no token; tokens are",
		`root ::= <[5>`:                 "<[ ]> has the number of a token within",
		`root ::= <[-1]>`:               "<[ ]> has the number of a token within",
		`root ::= ! <s>`:                "is no token; tokens are",
	} {
		_, err := grammar.ParseTokens(rules, v)
		require.ErrorContains(t, err, want, rules)
	}
	g, err := grammar.ParseTokens(`root ::= "a"`, v)
	require.NoError(t, err)
	require.Nil(t, g.Vocabulary())
}
