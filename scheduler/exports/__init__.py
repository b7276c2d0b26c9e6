"""The log in other tools' formats: a run as a Chrome trace, the events as lines of JSON. Read only, in small pieces."""
