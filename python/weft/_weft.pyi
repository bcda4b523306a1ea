# SPDX-License-Identifier: MIT
# The extension is private: the types that people use are those of the package around it.
from typing import Any

def __getattr__(name: str) -> Any: ...
