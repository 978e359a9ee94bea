package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/llm/llmtest"
	"github.com/go-acap/acap/tensor/distributed/plan"
)

// TestPlan plans a model of one product: what it says of the model, and that costs follow from it.
func TestPlan(t *testing.T) {
	dir := t.TempDir()
	model, picture := filepath.Join(dir, "m.mlir"), filepath.Join(dir, "plan.svg")
	require.NoError(t, os.WriteFile(model, []byte(`func.func @main(%x: tensor<64x128xf32>) -> tensor<64x32xf32> {
  %w = arith.constant dense<0.5> : tensor<128x32xf32>
  %i = arith.constant dense<1> : tensor<7xi64>
  %0 = "aten.mm"(%x, %w) : (tensor<64x128xf32>, tensor<128x32xf32>) -> tensor<64x32xf32>
  return %0 : tensor<64x32xf32>
}
`), 0o644))
	var o struct {
		Step  plan.Step
		Link  plan.Link
		Costs []plan.Cost
	}
	out, _, status := invoke(t, "plan", model, "-json", "-plot", picture, "-ranks", "16", "-backward", "3", "-latency", "1e-4")
	require.Zero(t, status)
	require.NoError(t, json.Unmarshal([]byte(out), &o))
	require.EqualValues(t, 128*32*4, o.Step.Bytes)
	require.Positive(t, o.Step.Forward)
	require.InEpsilon(t, 3*o.Step.Forward, o.Step.Backward, 1e-9)
	require.Equal(t, 1e-4, o.Link.Latency)
	require.Len(t, o.Costs, 3*4)
	for _, c := range o.Costs {
		if c.Reduction == "ring" {
			require.Equal(t, o.Step.On(c.Ranks, plan.Ring(o.Link)), c)
		}
	}
	require.FileExists(t, picture)

	given := filepath.Join(dir, "given.mlir") // weights are an input
	require.NoError(t, os.WriteFile(given, []byte(`func.func @main(%x: tensor<64x128xf32>, %w: tensor<128x32xf32>) -> tensor<64x32xf32> {
  %0 = "aten.mm"(%x, %w) : (tensor<64x128xf32>, tensor<128x32xf32>) -> tensor<64x32xf32>
  return %0 : tensor<64x32xf32>
}
`), 0o644))
	_, errs, status := invoke(t, "plan", given)
	require.NotZero(t, status)
	require.Contains(t, errs, "given.mlir: no constants of floating point")
	_, errs, status = invoke(t, "plan", given, "-gradients", "16384", "-ranks", "2")
	require.Zero(t, status, errs)
	for _, wrong := range [][]string{{"-ranks", "1"}, {"-bandwidth", "0"}, {"-bucket", "0"}, {"-node", "0"}, {"-forward", "nan"}} {
		_, errs, status := invoke(t, append([]string{"plan", model}, wrong...)...)
		require.NotZero(t, status, wrong)
		require.Regexp(t, "want |more than 0|from 0 upwards", errs, "what would be right")
	}
}

// TestPlanServe: what is served on paper is told, and flags of one plan are refused in the other.
func TestPlanServe(t *testing.T) {
	dir := t.TempDir()
	path, table, picture := filepath.Join(dir, "m.gguf"), filepath.Join(dir, "t.csv"), filepath.Join(dir, "p.svg")
	require.NoError(t, llmtest.WriteGGUF(path, llmtest.Small))
	require.NoError(t, os.WriteFile(table, []byte("arrival,prompt,answer\n0,20,4\n0.001,30,2\n0.002,300,2\n"), 0o644))
	out, errs, status := invoke(t, "plan", "-serve", path, "-arrivals", table, "-context", "256", "-plot", picture)
	require.Zero(t, status, errs)
	require.Contains(t, out, "3 requests in")
	require.Contains(t, out, "the first request that was refused: a prompt of 300 tokens")
	require.FileExists(t, picture)
	out, errs, status = invoke(t, "plan", "-serve", path, "-requests", "5", "-prompt", "20", "-answer", "1", "-context", "256")
	require.Zero(t, status, errs)
	require.Regexp(t, `between tokens +none\n`, out)
	out, errs, status = invoke(t, "plan", "-serve", path, "-requests", "5", "-prompt", "300", "-answer", "4", "-context", "256")
	require.Equal(t, 1, status)
	require.Regexp(t, `first token +none\n`, out)
	require.Contains(t, out, "5 requests, all refused")
	require.Contains(t, errs, "a prompt of 300 tokens")
	out, errs, status = invoke(t, "plan", "-serve", path, "-requests", "5", "-prompt", "20", "-answer", "4", "-context", "256", "-draft", path, "-json")
	require.Zero(t, status, errs)
	require.Contains(t, out, `"first_token_seconds":{"count":5`)
	for want, args := range map[string][]string{
		"is of a step of training":            {path, "-serve", "-node", "4"},
		"is of -serve":                        {path, "-rate", "4"},
		"-rate is 0":                          {path, "-serve", "-rate", "0"},
		"-shared is 600, want 0 to 512":       {path, "-serve", "-shared", "600"},
		"was made for up to 2048":             {path, "-serve", "-context", "4000"},
		"-context is 1, want":                 {path, "-serve", "-context", "1"},
		"-parallel is 0, want 1 to 1024":      {path, "-serve", "-parallel", "0"},
		"-arrays is 1025, want 1 to 1024":     {path, "-serve", "-arrays", "1025"},
		"-prompt is 0, want at least 1":       {path, "-serve", "-prompt", "0"},
		"-draft-tokens is 0, want at least 1": {path, "-serve", "-draft-tokens", "0"},
		"-accepted is 2":                      {path, "-serve", "-accepted", "2"},
		"no such file":                        {path, "-serve", "-arrivals", "none.csv"},
		"-prompt is of requests by chance":    {path, "-serve", "-arrivals", table, "-prompt", "8"},
	} {
		_, errs, status := invoke(t, append([]string{"plan"}, args...)...)
		require.NotZero(t, status)
		require.Contains(t, errs, want)
	}
}
