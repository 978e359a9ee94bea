package reply

// Part is the addition of a piece of an answer to the answer so far.
type Part struct {
	Text, Reasoning string
	Calls           []Call
}

// Call is a call of a tool, or what is known of the call behind earlier parts. Parts of one call have one index.
type Call struct {
	Index     int    // of the call in the answer, from 0
	Name      string // of the tool; empty behind the first part of a call
	Arguments string // an object in JSON, or what follows of it
}

// Add adds a part to what is known: a call of the same index as the last one goes on.
func (p *Part) Add(more Part) {
	p.Text, p.Reasoning = p.Text+more.Text, p.Reasoning+more.Reasoning
	for _, c := range more.Calls {
		if last := len(p.Calls) - 1; last >= 0 && p.Calls[last].Index == c.Index {
			p.Calls[last].Arguments += c.Arguments
		} else {
			p.Calls = append(p.Calls, c)
		}
	}
}
