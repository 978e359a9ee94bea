package llm_test

import (
	"context"
	"encoding/json"
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
	path, remove := llmtest.Temporary(llmtest.Small)
	defer remove()
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

// How likely a model finds a text: the sum of the logarithms of its tokens' probabilities, each behind those in front
// of it.
func ExampleModel_Likelihoods() {
	m := exampleModel()
	defer m.Close()
	tokens, err := m.Tokenizer().Encode("hello", tokenizer.EncodeOptions{})
	if err != nil {
		log.Fatal(err)
	}
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

// An answer in a chat as a whole, in the form of a schema: the template of the model makes the prompt, and
// [llm.Complete] collects the pieces.
func ExampleModel_Chat() {
	m := exampleModel()
	defer m.Close()
	form, err := grammar.Schema([]byte(`{"type": "object", "properties": {"rain": {"const": true}}, "required": ["rain"], "additionalProperties": false}`))
	if err != nil {
		log.Fatal(err)
	}
	messages := []llm.Message{{Role: "system", Content: "Answer in JSON."}, {Role: "user", Content: "Does it rain?"}}
	answer, err := llm.Complete(m.Chat(context.Background(), messages, llm.Options{Grammar: form}))
	if err != nil {
		log.Fatal(err)
	}
	var said struct{ Rain bool }
	fmt.Println(json.Unmarshal([]byte(answer.Text), &said), said.Rain, answer.Finish)
	// Output: <nil> true stop
}

// A seed makes chance repeatable, and the options of the model are those that its files recommend.
func ExampleSampling() {
	m := exampleModel()
	defer m.Close()
	o := m.Defaults()
	o.MaxTokens, o.Temperature, o.TopK, o.Seed = 12, 0.8, 40, 7
	var texts [2]string
	for i := range texts {
		answer, err := llm.Complete(m.Generate(context.Background(), "Once", o))
		if err != nil {
			log.Fatal(err)
		}
		texts[i] = answer.Text
	}
	fmt.Println(texts[0] == texts[1])
	// Output: true
}

// A smaller model guesses tokens, which the model checks several at once. The answer stays the same.
func ExampleLoadOptions() {
	dir, err := os.MkdirTemp("", "llm")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	large, small := filepath.Join(dir, "large.gguf"), filepath.Join(dir, "small.gguf")
	shape := llmtest.Small
	if err := llmtest.WriteGGUF(large, shape); err != nil {
		log.Fatal(err)
	}
	shape.Layers = 1
	if err := llmtest.WriteGGUF(small, shape); err != nil {
		log.Fatal(err)
	}
	var texts []string
	for _, draft := range []string{"", small} {
		m, err := llm.Load(large, llm.LoadOptions{Context: 128, Exact: true, Draft: draft, DraftTokens: 3})
		if err != nil {
			log.Fatal(err)
		}
		answer, err := llm.Complete(m.Generate(context.Background(), "Once", llm.Options{MaxTokens: 12}))
		if err != nil {
			log.Fatal(err)
		}
		texts = append(texts, answer.Text)
		m.Close()
	}
	fmt.Println(texts[0] == texts[1])
	// Output: true
}

// Texts become vectors of length 1: the product of two vectors is 1 for the same text, and less for another one.
func ExampleModel_Embed() {
	m := exampleModel()
	defer m.Close()
	list, err := m.Embed(context.Background(), "rain", "rain", "sunshine")
	if err != nil {
		log.Fatal(err)
	}
	product := func(a, b []float32) (sum float64) {
		for i := range a {
			sum += float64(a[i]) * float64(b[i])
		}
		return sum
	}
	fmt.Printf("%d numbers, %.3f, %v\n", m.EmbeddingWidth(), product(list[0], list[1]), product(list[0], list[2]) < 0.999)
	// Output: 64 numbers, 1.000, true
}

// What a model is and takes is known before it is loaded.
func ExampleInspect() {
	dir, err := os.MkdirTemp("", "llm")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	if err := llmtest.WriteFolder(dir, llmtest.Small); err != nil {
		log.Fatal(err)
	}
	outline, err := llm.Inspect(dir)
	if err != nil {
		log.Fatal(err)
	}
	memory, err := outline.Footprint(llm.LoadOptions{Context: 256})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(outline.Architecture, outline.Layers, "layers,", len(outline.Weights), "weights")
	fmt.Println("keys and values:", memory.Cache, "bytes") // 9 pages of 32 tokens, 2 layers, keys and values of 2 heads of 16 numbers of 2 bytes
	// Output:
	// llama 2 layers, 20 weights
	// keys and values: 73728 bytes
}

// What the next token would run, and whether anything is compiled for the token.
func ExampleModel_Explain() {
	m := exampleModel()
	defer m.Close()
	if _, err := llm.Complete(m.Generate(context.Background(), "Once upon", llm.Options{MaxTokens: 8, IgnoreEnd: true})); err != nil {
		log.Fatal(err)
	}
	e, err := m.Explain(llm.Pass{Sequences: 1, Tokens: 1, Seen: 32})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(e.Kernels) > 5, e.Share)
	// Output: true 1
}

// A prompt that begins as an earlier one did has the pages of that prompt: a page has 32 tokens.
func ExampleModel_Stats() {
	m := exampleModel()
	defer m.Close()
	for _, question := range []string{"What is rain?", "What is snow?"} {
		prompt := "You answer questions about the weather. " + question
		if _, err := llm.Complete(m.Generate(context.Background(), prompt, llm.Options{MaxTokens: 4})); err != nil {
			log.Fatal(err)
		}
	}
	s := m.Stats()
	fmt.Println(s.Prompts, "prompts;", s.ReusedTokens, "tokens were there already")
	// Output: 2 prompts; 32 tokens were there already
}

// How long two clients wait for the first and the last token, where a pass takes 10 ms, and 1 ms more for each row. The
// prompt of the second client and a token of the first one are 9 rows, which a pass of 12 rows computes.
func ExampleSimulation() {
	server := llm.Simulation{Context: 256, CacheTokens: llm.EachContext, Sequences: 2, Cost: func(p llm.Pass, all bool) (seconds, joules float64, err error) {
		return 0.010 + 0.001*float64(p.Sequences*p.Tokens), 0, nil
	}}
	got, err := server.Simulate(context.Background(), []llm.Request{{Prompt: 8, Answer: 3}, {Arrival: 0.001, Prompt: 8, Answer: 2}})
	if err != nil {
		log.Fatal(err)
	}
	for _, s := range got.Served {
		fmt.Printf("%.3f to %.3f s\n", s.Tokens[0], s.Tokens[len(s.Tokens)-1])
	}
	fmt.Println(got.Stats.Passes, "passes")
	// Output:
	// 0.018 to 0.052 s
	// 0.040 to 0.052 s
	// 3 passes
}
