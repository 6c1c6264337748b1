package capabilities

import (
	"errors"
	"fmt"

	"github.com/jacobian-ledger/jacobian/events"
	"github.com/jacobian-ledger/jacobian/events/jcs"
)

// Error is a refusal or failure that an adapter explains: what was expected, what was found, what to
// do next. Path is a JSON pointer into the operation's input.
type Error struct {
	Code     events.Code
	Path     string
	Message  string
	Expected string
	Actual   string
	Hint     string
}

func (e *Error) Error() string {
	s := string(e.Code)
	if e.Path != "" {
		s += " at " + e.Path
	}
	return s + ": " + e.Message
}

// Unwrap lets a type's Validate method refuse with [Invalid]: the decoder then puts the path of the value
// in front of the error's own.
func (e *Error) Unwrap() error {
	return &jcs.Error{Path: e.Path, Expected: e.Expected, Found: e.Actual, Hint: e.Hint}
}

// Invalid refuses an input that is well-formed but breaks the operation's rule.
func Invalid(path, expected, actual, hint string) error {
	return &Error{Code: events.CodeInvalidRequest, Path: path, Message: "expected " + expected + ", found " + actual, Expected: expected, Actual: actual, Hint: hint}
}

// Exceeds refuses an input whose cost is beyond a limit of the descriptor, before any work.
func Exceeds(path, limit, most, actual, hint string) error {
	return &Error{
		Code: events.CodeLimitExceeded, Path: path, Message: fmt.Sprintf("limit %s is %s, this needs %s", limit, most, actual),
		Expected: limit + " at most " + most, Actual: actual, Hint: hint,
	}
}

// NotApplicable refuses an input at which the operation has no value, such as the inverse of 0.
func NotApplicable(path, expected, actual, hint string) error {
	return &Error{Code: events.CodeNotApplicable, Path: path, Message: "not applicable: expected " + expected + ", found " + actual, Expected: expected, Actual: actual, Hint: hint}
}

// Unavailable says that the provider cannot run here, with the way to install it.
func Unavailable(what, hint string) error {
	return &Error{Code: events.CodeProviderUnavailable, Message: what + " is not available", Expected: what, Actual: "nothing", Hint: hint}
}

// AsError turns any error of an adapter into an [*Error].
func AsError(err error) *Error {
	var e *Error
	if errors.As(err, &e) {
		return e
	}
	var j *jcs.Error
	if errors.As(err, &j) {
		return &Error{Code: events.CodeInvalidRequest, Path: j.Path, Message: "expected " + j.Expected + ", found " + j.Found, Expected: j.Expected, Actual: j.Found, Hint: j.Hint}
	}
	return &Error{Code: events.CodeAdapterFailed, Message: err.Error(), Hint: "report this with the episode id"}
}
