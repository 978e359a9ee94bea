package tokenizer

// Fill has the tokens of a model that fills in the middle of a text; -1 stands for a token that the vocabulary does not have.
type Fill struct {
	Prefix, Suffix, Middle int // in front of what stands before, of what stands behind, and of the answer
	Repository, File       int // in front of the names of a repository and of a file
	Padding                int
}

// fillTexts are the names of the tokens of models that fill in: of Qwen, StarCoder, Granite, DeepSeek, Code Llama and GLM.
var fillTexts = []struct {
	token func(*Fill) *int
	key   string // in GGUF files
	older string // in older ones
	texts []string
}{
	{func(f *Fill) *int { return &f.Prefix }, "fim_pre", "prefix", []string{"<|fim_prefix|>", "<fim-prefix>", "<fim_prefix>", "<｜fim▁begin｜>", "<PRE>", "▁<PRE>", "<|code_prefix|>"}},
	{func(f *Fill) *int { return &f.Suffix }, "fim_suf", "suffix", []string{"<|fim_suffix|>", "<fim-suffix>", "<fim_suffix>", "<｜fim▁hole｜>", "<SUF>", "▁<SUF>", "<|code_suffix|>"}},
	{func(f *Fill) *int { return &f.Middle }, "fim_mid", "middle", []string{"<|fim_middle|>", "<fim-middle>", "<fim_middle>", "<｜fim▁end｜>", "<MID>", "▁<MID>", "<|code_middle|>"}},
	{func(f *Fill) *int { return &f.Repository }, "fim_rep", "", []string{"<|fim_repo|>", "<|repo_name|>", "<fim-repo>", "<REPO>", "<reponame>"}},
	{func(f *Fill) *int { return &f.File }, "fim_sep", "", []string{"<|file_sep|>"}},
	{func(f *Fill) *int { return &f.Padding }, "fim_pad", "", []string{"<|fim_pad|>", "<fim-pad>", "<fim_pad>", "<PAD>"}},
}

// Fill returns the tokens that fill in: those that a GGUF file names, or tokens whose names models give to these.
func (t *Tokenizer) Fill() Fill { return t.fill }

// findFill finds the tokens. told returns what a file says of a key, -1 for nothing.
func (t *Tokenizer) findFill(told func(key string) int) {
	for _, f := range fillTexts {
		to := f.token(&t.fill)
		*to = told(f.key)
		if *to < 0 && f.older != "" {
			*to = told(f.older)
		}
		for _, text := range f.texts {
			if id, ok := t.ID(text); ok && *to < 0 {
				*to = id
			}
		}
	}
}
