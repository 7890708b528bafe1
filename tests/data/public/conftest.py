from public_home import home

__all__ = ["home"]
