package divergence

import (
	"context"
	"fmt"

	"github.com/go-acap/acap/llm"
	"github.com/go-acap/acap/text/tokenizer"
)

// Longest is how many tokens the longest of rows prompts has, each [Step] tokens longer than the one before it, with
// the token behind the prompt.
func Longest(rows int) int { return Step*rows + 1 }

// TextPrompt is the longest of rows prompts from a text, with the token behind the prompt. The error says what the text
// lacks.
func TextPrompt(t *tokenizer.Tokenizer, text string, rows int) ([]int, error) {
	tokens, err := t.Encode(text, tokenizer.EncodeOptions{Special: true, Literal: true, Whole: true})
	if err != nil {
		return nil, err
	}
	if most := Longest(rows); len(tokens) >= most {
		return tokens[:most], nil
	}
	return nil, fmt.Errorf("has %d tokens, which is enough for %d rows: ask for fewer by -rows", len(tokens), (len(tokens)-1)/Step)
}

// Logprobs are the logarithms of the probabilities of all tokens behind some.
func Logprobs(m *llm.Model, tokens []int) ([]float64, error) {
	answer, err := llm.Complete(m.GenerateTokens(context.Background(), tokens, llm.Options{MaxTokens: 1, Logprobs: m.Vocabulary + 1}))
	if err != nil {
		return nil, err
	}
	list := make([]float64, m.Vocabulary)
	for _, c := range answer.Pieces[0].Top {
		list[c.Token] = c.Logprob
	}
	return list, nil
}
