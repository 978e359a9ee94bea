package explorer

import (
	"context"
	"fmt"
)

// Other is the part "other": a second run, which is shown beside the run of the program.
type Other struct {
	Model   *Model    `json:"model"`
	Program *Compiled `json:"program"`
}

func (e *Explorer) otherPart(ctx context.Context, _ string) (any, error) {
	if e.other == nil {
		return nil, fmt.Errorf("%w: there is no other run", errNoPart)
	}
	p, err := e.other.programOf(ctx)
	if err != nil {
		return nil, err
	}
	return &Other{e.other.model, p}, nil
}
