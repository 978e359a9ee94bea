// SPDX-License-Identifier: Apache-2.0

// Package sampling chooses tokens by the scores that a language model gives them. [Options] say how, in llama.cpp's
// parts and in its order.
//
//	s, err := sampling.New(sampling.Options{Temperature: 0.8, TopP: 0.95}, tokens)
//	s.Adjust(logits, seen, prompt, limit, ends)
//	next := s.Choose(logits, seen)
//
// Each part is a file: biases.go is [Sampler.Adjust]; penalties.go, dry.go, nsigma.go, typical.go, nucleus.go, minp.go,
// xtc.go, heat.go and mirostat.go are what [Sampler.Choose] does. candidates.go collects the tokens that the parts
// choose among.
package sampling
