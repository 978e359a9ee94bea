package reply

import "strings"

// thought is a form of reasoning in front of an answer.
type thought struct {
	begin, end string
	token      string // the special token of begin, where begin has text as well
}

// thoughts are the forms of reasoning that there are: of Qwen, DeepSeek, GLM and most other models; of Mistral,
// Seed-OSS, Command A, Apertus and Gemma 4. Reasoning of GPT-OSS is a message.
var thoughts = []thought{{begin: "<think>", end: "</think>"}, {begin: "[THINK]", end: "[/THINK]"}, {begin: "<seed:think>", end: "</seed:think>"},
	{begin: "<|START_THINKING|>", end: "<|END_THINKING|>"}, {begin: "<|inner_prefix|>", end: "<|inner_suffix|>"},
	{begin: "<|channel>thought", end: "<channel|>", token: "<|channel>"}}

// opened is the beginning of reasoning at the end of a prompt; empty where there is none.
func opened(forms []thought, prompt string) string {
	for _, t := range forms {
		if strings.HasSuffix(strings.TrimRight(prompt, blanks), t.begin) {
			return prompt[strings.LastIndex(prompt, t.begin):]
		}
	}
	return ""
}

// think reads reasoning, which begins at the end of the prompt or at the beginning of the answer. Blanks around it are
// left out.
func (in *input) think(forms []thought, prompt string) {
	for _, t := range forms {
		if !strings.HasSuffix(strings.TrimRight(prompt, blanks), t.begin) {
			at := in.blanks(0)
			if !in.begins(at, t.begin) {
				continue
			}
			in.take(at + len(t.begin))
		}
		in.take(in.blanks(0))
		ends := []string{t.end}
		for _, f := range in.forms {
			if f.ends {
				ends = append(ends, f.begin...)
			}
		}
		held := "" // blanks, which may be the last ones
		mark := in.until(func(text string) {
			said := strings.TrimRight(held+text, blanks)
			held = (held + text)[len(said):]
			in.reason(said)
		}, ends...)
		if mark == t.end {
			in.take(len(mark))
			in.take(in.blanks(0))
		}
		return
	}
}
