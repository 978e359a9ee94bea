package serve

import "net/http"

// properties answers /props: what clients of llama-server look at before they ask.
func (s *Server) properties(w http.ResponseWriter, _ *http.Request) {
	o, t := s.defaults(), s.model.Tokenizer()
	end := ""
	if ends := t.Ends(); len(ends) > 0 {
		end = t.Token(ends[0])
	}
	answer(w, http.StatusOK, map[string]any{"model_alias": s.options.Name, "total_slots": s.model.Sequences(), "chat_template": s.model.Template(),
		"bos_token": t.Token(t.Begin()), "eos_token": end, "modalities": map[string]bool{"vision": false, "audio": false},
		"default_generation_settings": map[string]any{"n_ctx": s.model.Limit(), "params": settings(&o, new(nativeRequest))}})
}
