package llm_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/go-acap/acap/llm"
	"github.com/go-acap/acap/llm/grammar"
	"github.com/go-acap/acap/llm/llmtest"
	"github.com/go-acap/acap/text/tokenizer"
)

// exampleModel loads a small model with random weights, which stands for one that has something to say.
func exampleModel() *llm.Model {
	dir, err := os.MkdirTemp("", "llm")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "small.gguf")
	if err := llmtest.WriteGGUF(path, llmtest.Small); err != nil {
		log.Fatal(err)
	}
	m, err := llm.Load(path, llm.LoadOptions{Context: 128})
	if err != nil {
		log.Fatal(err)
	}
	return m
}

// A grammar restricts an answer, and the last piece says why the answer ended.
func ExampleModel_Generate() {
	m := exampleModel()
	defer m.Close()
	g, err := grammar.Parse(`root ::= "y" "es"`)
	if err != nil {
		log.Fatal(err)
	}
	finish := ""
	for piece, err := range m.Generate(context.Background(), "Is it true? ", llm.Options{MaxTokens: 20, Grammar: g}) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Print(piece.Text)
		finish = piece.Finish
	}
	fmt.Println(":", finish)
	// Output: yes: stop
}

// The template of a model makes a prompt of messages.
func ExampleModel_Format() {
	m := exampleModel()
	defer m.Close()
	prompt, err := m.Format([]llm.Message{{Role: "user", Content: "hello"}}, llm.TemplateOptions{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Print(prompt)
	// Output:
	// <|user|>
	// hello</s>
	// <|assistant|>
}

// Vectors of models that were trained for that can be shortened.
func ExampleShortened() {
	fmt.Println(llm.Shortened([]float32{3, 4, 12}, 2))
	fmt.Println(llm.Shortened([]float32{3, 4, 12}, 3)) // as many numbers as there are: nothing changes
	// Output:
	// [0.6 0.8]
	// [3 4 12]
}

// How likely a model finds a text: the sum of the logarithms of its tokens' probabilities, each behind those in front of
// it.
func ExampleModel_Likelihoods() {
	m := exampleModel()
	defer m.Close()
	tokens := m.Tokenizer().Encode("hello", tokenizer.EncodeOptions{})
	list, err := m.Likelihoods(context.Background(), tokens, 1)
	if err != nil {
		log.Fatal(err)
	}
	sum := 0.0
	for _, p := range list {
		sum += p.Logprob
	}
	fmt.Println(len(tokens), len(list), sum < 0, len(list[0].Top))
	// Output: 6 5 true 1
}
