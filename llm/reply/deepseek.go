package reply

import "strings"

const deepSeekBegin, deepSeekEnd = "<｜tool▁calls▁begin｜>", "<｜tool▁calls▁end｜>"
const deepSeekCall, deepSeekCallEnd, deepSeekBetween = "<｜tool▁call▁begin｜>", "<｜tool▁call▁end｜>", "<｜tool▁sep｜>"

// deepSeek is calls between <｜tool▁calls▁begin｜> and <｜tool▁calls▁end｜>: a name, <｜tool▁sep｜> and arguments (V3.1), or a kind, <｜tool▁sep｜>, a name and
// arguments between fences (V3, R1).
var deepSeek = form{mark: deepSeekBegin, begin: []string{deepSeekBegin}, tokens: []string{deepSeekEnd, deepSeekCall, deepSeekCallEnd, deepSeekBetween},
	read: func(in *input) bool {
		at, calls := len(deepSeekBegin), 0
		for {
			begin, mark, _ := in.find(at, deepSeekCall, deepSeekEnd)
			if mark != deepSeekCall {
				if calls > 0 {
					in.take(begin + len(mark))
				}
				return calls > 0
			}
			if !in.deepSeekCall(begin + len(deepSeekCall)) {
				return calls > 0
			}
			at, calls = 0, calls+1
		}
	}}

// deepSeekCall reads one call from a place on.
func (in *input) deepSeekCall(at int) bool {
	const fence = "```json"
	between, _, separated := in.find(at, deepSeekBetween)
	name, behind := in.text[at:between], between+len(deepSeekBetween)
	if !separated {
		return false
	}
	end, mark, found := in.find(behind, fence, "{", deepSeekCallEnd)
	if mark == fence {
		name = in.text[behind:end]
		end, mark, found = in.find(end, "{", deepSeekCallEnd)
	}
	if name = strings.TrimSpace(name); !found || mark != "{" || name == "" {
		return false
	}
	in.take(end)
	in.call(name, "")
	in.arguments()
	return true
}
