package llm

import "github.com/go-acap/acap/llm/architecture"

// The names that package architecture gives what a model's files say of how the model computes.
type (
	Description = architecture.Description
	LocalHeads  = architecture.LocalHeads
	Rotary      = architecture.Rotary
	Yarn        = architecture.Yarn
	Experts     = architecture.Experts
	Latent      = architecture.Latent
	Recurrence  = architecture.Recurrence
	XIELU       = architecture.XIELU
)
