package reply

// listed is a list of calls that are objects, between tags: of Command R7B and A, Nemotron Nano 2 and Apriel.
func listed(begin, end string) form {
	return form{mark: begin, begin: []string{begin}, tokens: []string{end}, read: func(in *input) bool {
		at := in.blanks(len(begin))
		if !in.begins(at, "[") || !in.list(at) {
			return false
		}
		in.past(end)
		return true
	}}
}

// said is text between tags, which are no part of the text: of Command R7B and A.
func said(begin, end string) form {
	return form{mark: begin, begin: []string{begin}, tokens: []string{end}, message: true, read: func(in *input) bool {
		in.take(len(begin))
		in.take(len(in.until(in.say, end)))
		return true
	}}
}
