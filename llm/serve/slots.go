package serve

import (
	"fmt"
	"net/http"
)

// slots answers /slots as llama-server does: as many slots as there are sequences at once, the first of which are busy.
func (s *Server) slots(w http.ResponseWriter, r *http.Request) {
	running, list := s.model.Stats().Running, []any{}
	for i := range s.model.Sequences() {
		list = append(list, map[string]any{"id": i, "n_ctx": s.model.Limit(), "is_processing": i < running})
	}
	if r.URL.Query().Get("fail_on_no_slot") != "" && running >= len(list) {
		fail(w, http.StatusServiceUnavailable, "unavailable_error", "", fmt.Sprintf("all %d sequences are busy", len(list)))
		return
	}
	answer(w, http.StatusOK, list)
}

// slot refuses what llama-server does with the keys and values of one slot.
func (s *Server) slot(http.ResponseWriter, *http.Request) error {
	return &requestError{http.StatusNotImplemented, "not_supported", "action", "slots are neither saved, restored nor erased: " +
		"prompts that begin alike share keys and values as long as the cache has room for these"}
}

// adapterScale is what an adapter is multiplied by.
type adapterScale struct {
	ID    int     `json:"id"`
	Scale float64 `json:"scale"`
}

// adapters answers /lora-adapters.
func (s *Server) adapters(w http.ResponseWriter, _ *http.Request) {
	list := []any{}
	for i, a := range s.model.Adapters() {
		list = append(list, map[string]any{"id": i, "path": a.Path, "scale": a.Scale})
	}
	answer(w, http.StatusOK, list)
}

// setAdapters answers /lora-adapters of the method POST. Scales are those of the start.
func (s *Server) setAdapters(w http.ResponseWriter, r *http.Request) error {
	list := []adapterScale{}
	if err := decode(r, &list); err != nil {
		return err
	}
	if err := s.scaled(list); err != nil {
		return err
	}
	answer(w, http.StatusOK, map[string]bool{"success": true})
	return nil
}

// scaled refuses other scales of adapters than those of the start; an adapter that a list leaves out has the scale 0 in
// the list. No list asks for nothing.
func (s *Server) scaled(list []adapterScale) error {
	have := s.model.Adapters()
	wanted := make([]float64, len(have))
	for _, one := range list {
		if one.ID < 0 || one.ID >= len(have) {
			return bad("lora", "there is no adapter %d; there are %d", one.ID, len(have))
		}
		wanted[one.ID] = one.Scale
	}
	for i, a := range have {
		if list != nil && wanted[i] != a.Scale {
			return bad("lora", "the adapter %d has the scale %g and not %g; scales are given when the server starts, as -lora-scaled %s:%g", i, a.Scale, wanted[i], a.Path, wanted[i])
		}
	}
	return nil
}
