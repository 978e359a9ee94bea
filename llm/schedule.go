package llm

import "github.com/go-acap/acap/llm/schedule"

// The names that package schedule gives passes, counts and simulated servers.
type (
	Pass       = schedule.Pass
	Stats      = schedule.Stats
	Simulation = schedule.Simulation
	Request    = schedule.Request
	Served     = schedule.Served
	Traffic    = schedule.Traffic
)

const (
	// EachContext as LoadOptions.CacheTokens has room for the context of each sequence.
	EachContext = schedule.EachContext
	// MostPiece is the most tokens of prompts that a pass computes.
	MostPiece = schedule.MostPiece
)
