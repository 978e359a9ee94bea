package serve_test

import (
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"

	"github.com/go-acap/acap/llm"
	"github.com/go-acap/acap/llm/llmtest"
	"github.com/go-acap/acap/llm/serve"
)

// A server is a handler, and says what is wrong in a request.
func Example() {
	path, remove := llmtest.Temporary(llmtest.Small)
	defer remove()
	m, err := llm.Load(path, llm.LoadOptions{Context: 128})
	if err != nil {
		log.Fatal(err)
	}
	defer m.Close()
	web := httptest.NewServer(serve.New(m, serve.Options{Name: "small"}))
	defer web.Close()
	resp, err := http.Post(web.URL+"/v1/completions", "application/json", strings.NewReader(`{"model": "small", "prompt": "hello", "max_tokens": 0}`))
	if err != nil {
		log.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%s\n%s", resp.Status, body)
	// Output:
	// 400 Bad Request
	// {"error":{"code":null,"message":"max_tokens is 0, want at least 1","param":"max_tokens","type":"invalid_request_error"}}
}
