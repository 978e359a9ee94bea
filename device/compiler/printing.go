package compiler

import (
	"os"

	"github.com/go-acap/acap/base/environment"
	"github.com/go-acap/acap/translate/passes"
)

// printVariable names the environment variable that makes the compiler print a module
// between its passes to standard error: "before", "after", or "change" for after the
// passes that change something. Constants of more than printedElements elements are
// left out.
const (
	printVariable   = "ACAP_PRINT_IR"
	printedElements = 16
)

// PrintSetting returns an error if the environment's setting of printing is malformed.
func PrintSetting() error { return printing(new(passes.Pipeline)) }

func printing(p *passes.Pipeline) error {
	p.Print.ElideLargerThan = printedElements
	switch when := os.Getenv(printVariable); when {
	case "":
	case "before":
		p.Before = os.Stderr
	case "after":
		p.After = os.Stderr
	case "change":
		p.After, p.OnlyChanges = os.Stderr, true
	default:
		return &environment.Error{Variable: printVariable, Value: when, Want: "before, after or change"}
	}
	return nil
}
