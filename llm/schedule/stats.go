package schedule

// Stats counts what a model has done since it was loaded.
type Stats struct {
	Running, Waiting              int // sequences
	Pages, FreePages              int // of the cache; free ones may hold what a prompt can have again
	Prompts                       int // sequences that were begun
	PromptTokens, GeneratedTokens int
	ReusedTokens                  int // of prompts, whose keys and values were there already
	Passes                        int // of the whole model
	DraftedTokens, AcceptedTokens int // by the draft model
	Preempted                     int // sequences that had to wait for pages of others
}

// add adds counts.
func (s *Stats) add(o Stats) {
	s.Running, s.Waiting, s.Pages, s.FreePages = s.Running+o.Running, s.Waiting+o.Waiting, s.Pages+o.Pages, s.FreePages+o.FreePages
	s.Prompts, s.PromptTokens, s.GeneratedTokens = s.Prompts+o.Prompts, s.PromptTokens+o.PromptTokens, s.GeneratedTokens+o.GeneratedTokens
	s.ReusedTokens, s.Passes, s.Preempted = s.ReusedTokens+o.ReusedTokens, s.Passes+o.Passes, s.Preempted+o.Preempted
	s.DraftedTokens, s.AcceptedTokens = s.DraftedTokens+o.DraftedTokens, s.AcceptedTokens+o.AcceptedTokens
}
